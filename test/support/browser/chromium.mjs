// Launches the Chromium that tests drive: CHROMIUM=/path, or the headless one in the npm package
// @sparticuz/chromium (Linux x64).
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install, isInstalled } from '../host/npm.mjs';
import { browserDir } from '../host/paths.mjs';

const modules = join(browserDir, 'node_modules');
const home = join(modules, '.chromium'); // `npm ci` deletes it
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=Translate,OptimizationHints,MediaRouter',
];

/**
 * The package unpacks into TMPDIR and runs whatever is already there, so this must be a private folder, never a
 * shared one.
 */
async function unpack() {
  const half = mkdtempSync(`${home}-`); // mode 0700; renamed once it is complete
  const { TMPDIR } = process.env;
  process.env.TMPDIR = half;
  try {
    const entry = createRequire(join(browserDir, 'package.json')).resolve('@sparticuz/chromium');
    const { default: chromium, inflate } = await import(pathToFileURL(entry).href);
    await chromium.executablePath();
    await inflate(join(modules, '@sparticuz', 'chromium', 'bin', 'al2023.tar.br')); // libraries such as libnss3
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  renameSync(half, home);
}

export const isChromiumSetUp = () => Boolean(process.env.CHROMIUM) || existsSync(home);

/** Installs and unpacks the browser once. */
export async function setUpChromium() {
  if (process.env.CHROMIUM) return;
  if (!isInstalled(browserDir)) {
    console.error('[setup] installing a Chromium for the tests from npm (about 70 MB, once)');
    await install(browserDir, { args: ['--ignore-scripts', '--engine-strict=false'] }); // `engines` excludes Node 20, which works
  }
  if (!existsSync(home)) await unpack();
}

/**
 * Written for each launch: it contains absolute paths, and the repository may have moved. Replaced in one step, because
 * another browser may be reading it.
 */
function writeFontConfiguration() {
  const file = join(home, 'fonts.conf');
  const draft = `${file}-${process.pid}`;
  const pathOf = (name) => join(home, name).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const content = `<dir>${pathOf('fonts')}</dir><cachedir>${pathOf('fonts-cache')}</cachedir>`;
  const head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  writeFileSync(draft, `${head}<fontconfig>${content}</fontconfig>`);
  renameSync(draft, file);
  return file;
}

function executable(profileDir) {
  if (process.env.CHROMIUM) return { executablePath: process.env.CHROMIUM };
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
    FONTCONFIG_FILE: writeFontConfiguration(),
    HOME: profileDir, // Chromium writes .pki and .config there
    TMPDIR: profileDir.length > 50 ? '/tmp' : profileDir, // its socket path must not exceed 107 characters
  };
  return { executablePath: join(home, 'chromium'), env };
}

/** A persistent context, because the workbench keeps secrets and its state in this profile. */
export async function launch(profileDir, viewport = { width: 1440, height: 900 }) {
  await setUpChromium();
  const { chromium } = await import('playwright-core'); // imported here, because it may have to be installed first
  // Scroll bars take up space, as they do for a user.
  const ignoreDefaultArgs = ['--hide-scrollbars'];
  const options = { ...executable(profileDir), args: flags, ignoreDefaultArgs, viewport };
  const context = await chromium.launchPersistentContext(profileDir, options);
  context.setDefaultTimeout(60_000); // a busy machine is slow; a test may take twice as long
  context.setDefaultNavigationTimeout(60_000);
  return { context, page: context.pages()[0] ?? (await context.newPage()) };
}
