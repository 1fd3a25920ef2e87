// Starts `couperation lsp` for CGN files; everything else is the server's work.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("cgn").get("server");
  client = new LanguageClient("cgn", "CGN", { command, args }, { documentSelector: [{ language: "cgn" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
