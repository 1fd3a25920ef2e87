// Starts `couperation lsp` for CGN files; everything else is the server's work.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = (context) => {
  const [command, ...args] = workspace.getConfiguration("cgn").get("server");
  // Not in the folder that is open: some systems look for programs there first.
  const server = { command, args, options: { cwd: context.extensionPath } };
  // A specification's pages: their formulas.
  const documentSelector = [{ language: "cgn" }, { language: "markdown", pattern: "**/spec/**" }];
  client = new LanguageClient("cgn", "CGN", server, { documentSelector });
  return client.start();
};

exports.deactivate = () => client?.stop();
