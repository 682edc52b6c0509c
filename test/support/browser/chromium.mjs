// A Chromium to drive: CHROMIUM=/path, or the headless one inside the npm package @sparticuz/chromium (Linux x64).
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install, isInstalled } from '../host/npm.mjs';
import { browserDir } from '../host/paths.mjs';

const modules = join(browserDir, 'node_modules');
const home = join(modules, '.chromium'); // `npm ci` removes it again
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

/** The package unpacks into TMPDIR and runs whatever already lies there: so that is a private folder, never a shared one. */
async function unpack() {
  const half = mkdtempSync(`${home}-`); // mode 0700; gets its name when it is whole
  const { TMPDIR } = process.env;
  process.env.TMPDIR = half;
  try {
    const entry = createRequire(join(browserDir, 'package.json')).resolve('@sparticuz/chromium');
    const { default: chromium, inflate } = await import(pathToFileURL(entry).href);
    await chromium.executablePath();
    await inflate(join(modules, '@sparticuz', 'chromium', 'bin', 'al2023.tar.br')); // libnss3 and the like
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  renameSync(half, home);
}

export const isChromiumSetUp = () => Boolean(process.env.CHROMIUM) || existsSync(home);

/** Installs and unpacks the browser, once. */
export async function setUpChromium() {
  if (process.env.CHROMIUM) return;
  if (!isInstalled(browserDir)) {
    console.error('[setup] installing a Chromium for the tests from npm (about 70 MB, once)');
    await install(browserDir, { args: ['--ignore-scripts', '--engine-strict=false'] }); // engines leave out Node 20; it works
  }
  if (!existsSync(home)) await unpack();
}

/** Written for each launch, because it holds full paths and the repository may have moved. */
function writeFontConfiguration() {
  const file = join(home, 'fonts.conf');
  const pathOf = (name) => join(home, name).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const content = `<dir>${pathOf('fonts')}</dir><cachedir>${pathOf('fonts-cache')}</cachedir>`;
  const head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  writeFileSync(file, `${head}<fontconfig>${content}</fontconfig>`);
  return file;
}

function executable(profileDir) {
  if (process.env.CHROMIUM) return { executablePath: process.env.CHROMIUM };
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
    FONTCONFIG_FILE: writeFontConfiguration(),
    HOME: profileDir, // where it puts .pki and .config
    TMPDIR: profileDir.length > 50 ? '/tmp' : profileDir, // the path of its socket must not get longer than 107 characters
  };
  return { executablePath: join(home, 'chromium'), env };
}

/** A persistent context: the workbench keeps secrets and its state in this profile. */
export async function launch(profileDir, viewport = { width: 1440, height: 900 }) {
  await setUpChromium();
  const { chromium } = await import('playwright-core'); // not at the top: it has to be installed first
  // scroll bars take room from what they stand beside, as they do for a person
  const ignoreDefaultArgs = ['--hide-scrollbars'];
  const options = { ...executable(profileDir), args: flags, ignoreDefaultArgs, viewport };
  const context = await chromium.launchPersistentContext(profileDir, options);
  context.setDefaultTimeout(60_000); // a machine with other work takes its time; a test may take twice as long
  context.setDefaultNavigationTimeout(60_000);
  return { context, page: context.pages()[0] ?? (await context.newPage()) };
}
