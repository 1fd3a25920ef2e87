// Finds `couperation lsp` for CGN files and starts it; everything else is the server's work.
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { commands, env, Uri, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const HELP = "https://github.com/couperation/couperation-formal/blob/main/docs/howto/editors.md";
// Where pipx and uv put programs; an editor that no terminal started does not always know it.
const ALSO = path.join(os.homedir(), ".local", "bin");

let client;

// The program as an absolute path, or undefined. Never one of the folder that is open: relative places are left out.
function find(program) {
  if (path.isAbsolute(program)) return fs.existsSync(program) ? program : undefined;
  if (path.basename(program) !== program) return undefined;
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), ALSO].filter(path.isAbsolute);
  const names = process.platform === "win32" ? [`${program}.exe`, program] : [program];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

// Why the server does not start, or "". Without input a server that starts ends at once and says nothing.
function complaint(command, args, options) {
  return new Promise((resolve) => {
    const tried = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    tried.stderr.on("data", (data) => (said += data));
    tried.on("error", (error) => resolve(error.message));
    tried.on("close", (code) => resolve(code ? said.trim() || `it ended with ${code}` : ""));
  });
}

function tell(what) {
  const said = `CGN: ${what} Colours need no server.`;
  window.showErrorMessage(said, "How to install", "Name the program").then((chosen) => {
    if (chosen === "How to install") env.openExternal(Uri.parse(HELP));
    if (chosen === "Name the program") commands.executeCommand("workbench.action.openSettings", "cgn.server");
  });
}

async function start(context) {
  const [program, ...args] = workspace.getConfiguration("cgn").get("server");
  const command = find(program);
  if (!command) return tell(`the program ${program} was not found.`);
  // Not in the folder that is open: some systems look for programs there first.
  const options = { cwd: context.extensionPath };
  const why = await complaint(command, args, options);
  if (why) return tell(`${command} does not start: ${why}.`);
  // A specification's pages: their formulas.
  const documentSelector = [{ language: "cgn" }, { language: "markdown", pattern: "**/spec/**" }];
  client = new LanguageClient("cgn", "CGN", { command, args, options }, { documentSelector });
  return client.start();
}

exports.activate = (context) => {
  const changed = workspace.onDidChangeConfiguration(async (change) => {
    if (!change.affectsConfiguration("cgn.server")) return;
    await client?.stop();
    client = undefined;
    await start(context);
  });
  context.subscriptions.push(changed);
  return start(context);
};

exports.deactivate = () => client?.stop();
