// Checks that run before anything is downloaded. If the environment is unsuitable, one line says what to do
// instead.
import { existsSync, statfsSync } from 'node:fs';
import net from 'node:net';
import { isInstalled } from './npm.mjs';
import { browserDir, hostDir, root } from './paths.mjs';

/** An error whose message is all that the user sees. */
export class Refusal extends Error {}

/** Whether `version >= wanted`, for dotted numbers. */
function isAtLeast(version, wanted) {
  const [a, b] = [version, wanted].map((text) => text.split('.').map(Number));
  return a[0] !== b[0] ? a[0] > b[0] : (a[1] ?? 0) >= (b[1] ?? 0);
}

export function checkNode() {
  if (isAtLeast(process.versions.node, '20.19')) return;
  throw new Refusal(`Node ${process.version} is too old: install Node 20.19 or newer.`);
}

/** Version of glibc; '' where there is none (Alpine, macOS, Windows). */
function glibcVersion() {
  if (process.platform !== 'linux') return '';
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ?? '';
}

/** Whether this is Linux on x64 or arm64 with the glibc that the server's Node 24 requires. */
export function browserHostRunsHere() {
  return ['x64', 'arm64'].includes(process.arch) && isAtLeast(glibcVersion() || '0', '2.28');
}

/** Whether the port is free. It also counts as free if this machine does not have the address. */
function isFree(port, host) {
  return new Promise((resolve) => {
    const probe = net
      .createServer()
      .once('error', ({ code }) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
    probe.listen({ port, host, ipv6Only: true }, () => probe.close(() => resolve(true)));
  });
}

/** Validates `PORT` and returns it as a number; 0 means any free port. */
export async function checkPort(text) {
  const port = Number(text);
  if (!text.trim() || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Refusal(
      `PORT=${text} is not a port: give a number from 1 to 65535, as in PORT=8124 npm start.`,
    );
  }
  for (const host of port ? ['127.0.0.1', '::1'] : []) {
    if (await isFree(port, host)) continue;
    throw new Refusal(
      `Port ${port} of ${host} is not free: stop what uses it, or choose another one, as in PORT=8124 npm start.`,
    );
  }
  return port;
}

function checkChromium(instead) {
  const { CHROMIUM } = process.env;
  if (CHROMIUM && !existsSync(CHROMIUM)) {
    throw new Refusal(`CHROMIUM=${CHROMIUM} does not exist: install Chromium and name its executable.`);
  }
  if (!CHROMIUM && (process.arch !== 'x64' || !isAtLeast(glibcVersion(), '2.34'))) {
    const here = `${process.arch} with glibc ${glibcVersion()}`;
    throw new Refusal(
      `npm has no Chromium for ${here}: install one and set CHROMIUM=/path/to/it. ${instead}`,
    );
  }
}

/**
 * Checks the requirements of the browser-served VS Code. `chromium`: whether a browser is driven as well.
 * `instead`: what works elsewhere.
 */
export function checkBrowserHost({ chromium = false, instead }) {
  if (!browserHostRunsHere()) {
    const here = `${process.platform} ${process.arch}${process.platform === 'linux' ? `, glibc ${glibcVersion() || 'none'}` : ''}`;
    throw new Refusal(
      `The browser-served VS Code needs Linux on x64 or arm64 with glibc 2.28 or newer; this is ${here}. ${instead}`,
    );
  }
  if (chromium) checkChromium(instead);
  const missing = [hostDir, ...(chromium ? [browserDir] : [])].filter((dir) => !isInstalled(dir));
  const neededGb = missing.length * 0.7;
  const { bavail, bsize } = statfsSync(root);
  const freeGb = (bavail * bsize) / 1e9;
  if (freeGb < neededGb) {
    throw new Refusal(
      `Only ${freeGb.toFixed(1)} GB are free on this disk: make room for ${neededGb} GB (a VS Code server from npm).`,
    );
  }
}
