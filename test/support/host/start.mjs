// npm start: runs the packaged extension in a real VS Code with a playground open. See `npm start -- --help`.
import { lookup } from 'node:dns/promises';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { browserHostRunsHere, checkBrowserHost, checkNode, checkPort, Refusal } from './check.mjs';
import { findDesktop, openDesktop } from './desktop.mjs';
import { packageVsix } from './package-vsix.mjs';
import { hostDir, localDir, vsix } from './paths.mjs';
import { installVsix, startServer, workbenchQuery } from './server.mjs';
import { setUpRoot, setUpServer } from './setup.mjs';

const help = `npm start                 VS Code with the extension, served to your browser (Linux x64 or arm64; elsewhere: --desktop)
npm start -- --desktop    an installed desktop VS Code, with folders of its own: your settings and extensions stay untouched
npm start -- --browser    served to your browser, or a line that says why not
npm start -- --help       this text
PORT=8124 npm start       another port than 8123
The address is http://<name>.localhost:8123, a name of your own. Chrome, Edge and Firefox know that it is this computer;
where a browser does not find it, add the line "127.0.0.1 <name>.localhost" to /etc/hosts: the name stays the same.
Everything it writes lies in .host, dist and node_modules folders of this repository.`;
const getDesktop = 'Install VS Code (https://code.visualstudio.com) so that `code --version` answers.';
const flags = ['--browser', '--desktop', '--help'];

function readFlag(args) {
  const unknown = args.find((arg) => !flags.includes(arg));
  if (unknown) throw new Refusal(`npm start does not know ${unknown}.\n${help}`);
  if (args.length > 1) throw new Refusal(`npm start takes one flag, not ${args.join(' ')}.\n${help}`);
  return args[0];
}

/** Makes all checks that can refuse the start, before anything is downloaded. */
async function decide(flag) {
  checkNode();
  const wantsDesktop = flag === '--desktop' || (!flag && !browserHostRunsHere());
  const desktop = wantsDesktop ? findDesktop() : undefined;
  if (flag === '--desktop' && !desktop) throw new Refusal(`No desktop VS Code was found. ${getDesktop}`);
  if (desktop) return { desktop };
  checkBrowserHost({ instead: getDesktop });
  return { port: await checkPort(process.env.PORT ?? '8123') };
}

async function packIfNeeded() {
  await setUpRoot();
  const started = Date.now();
  if (await packageVsix())
    console.error(`[setup] the extension is packed (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

function prepareWorkspace() {
  const folder = join(localDir, 'workspace');
  cpSync(join(hostDir, 'workspace'), folder, { recursive: true, force: false }); // keeps the user's changes
  return folder;
}

/** Whether the operating system resolves the name, for browsers that rely on it. */
const isKnown = (hostname) =>
  lookup(hostname).then(
    () => true,
    () => false,
  );

async function serveToBrowser(port) {
  await Promise.all([setUpServer(), packIfNeeded()]);
  const dataDir = join(localDir, 'browser');
  await installVsix(Object.values(vsix), dataDir);
  const home = `/${workbenchQuery({ folder: prepareWorkspace() })}`;
  const server = await startServer({ dataDir, port, home });
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      isStopping = true;
      void server.stop().finally(() => process.exit(0));
    });
  }
  console.log(`Open ${server.url}/?tkn=${server.token}`);
  const { hostname } = new URL(server.url);
  if (!(await isKnown(hostname)))
    console.log(
      `Chrome, Edge and Firefox find it. Another browser needs "127.0.0.1 ${hostname}" in /etc/hosts.`,
    );
  console.log('The playground opens by itself and needs no model to be tried. Ctrl+C here stops it all.');
  await server.ended;
  if (!isStopping) throw new Error(`the VS Code server ended by itself:\n${server.log()}`);
}

async function start() {
  const flag = readFlag(process.argv.slice(2));
  if (flag === '--help') return console.log(help);
  const { desktop, port } = await decide(flag);
  if (!desktop) return serveToBrowser(port);
  await packIfNeeded();
  const files = Object.values(vsix);
  openDesktop(desktop, { dataDir: join(localDir, 'desktop'), folder: prepareWorkspace(), files });
  console.log('VS Code is open with the extension; the playground opens by itself.');
}

// Until the server runs, exit on a signal, so that child processes are ended, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

try {
  await start();
} catch (error) {
  console.error(error instanceof Refusal ? error.message : `npm start failed: ${error.message}`);
  process.exit(1);
}
