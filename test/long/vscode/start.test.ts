// Runs `npm start` like a person: it prints one address, the playground opens there, and no process or file stays after Ctrl+C.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { vscodeDir } from '../../support/host/paths.mjs';
import { launch, Panel, root, waitUntilKept } from '../../e2e/support';

type Start = ChildProcessByStdio<null, Readable, Readable>;

const scratch = mkdtempSync(join(tmpdir(), 'start-'));
const sockets = join(scratch, 'tmp');
mkdirSync(sockets);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function start(args: readonly string[], port = '0'): Start {
  const env = { ...process.env, PORT: port, HOST_DIR: join(scratch, 'local'), TMPDIR: sockets };
  const script = join(root, 'test', 'support', 'host', 'start.mjs');
  return spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Exit code and output of a command that ends by itself. */
async function outcome(child: Start): Promise<{ code: unknown; out: string; err: string }> {
  const [[code], out, err] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

async function addressOf(child: Start): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const match = /^Open (http:\S+)$/m.exec(printed);
    if (match?.[1]) return match[1];
  }
  throw new Error(`npm start ended without an address: ${printed}${await text(child.stderr)}`);
}

/** Process id and command line of every process whose command line names this test's folder. */
function processesOfThisTest(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
      } catch {
        return ''; // it has just ended
      }
    })
    .filter((line) => line.includes(scratch));
}

function leashOfThisTest(): number {
  const line = processesOfThisTest().find((process) => process.includes('leash.mjs'));
  if (!line) throw new Error('no process supervises the server');
  return parseInt(line, 10);
}

/** Permissions of a file or folder as an octal number, as in `chmod`. */
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('npm start', () => {
  it('prints an address where the playground opens by itself, and leaves nothing behind after Ctrl+C', async () => {
    const child = start(['--browser']);
    const ended = once(child, 'exit');
    const address = await addressOf(child);
    child.stdout.resume();
    const { context, page } = await launch(join(scratch, 'profile'));
    try {
      await page.goto(address);
      expect(page.url()).not.toContain('tkn=');
      // Without the token of the address, and before the workbench has been loaded, which takes long.
      await page.reload();
      await page.locator('.tab', { hasText: 'What is the weather' }).waitFor();
      await new Panel(page).lane().waitFor();
      expect(new URL(page.url()).hostname).toMatch(/^vscode-[0-9a-f]{16}\.localhost$/);
      const dataDir = join(scratch, 'local', 'browser');
      expect([modeOf(dataDir), modeOf(join(dataDir, 'serve-web-key-half'))]).toEqual(['700', '600']);
      await waitUntilKept(page, 'providerPlayground.playground');
      expect(await page.locator('.tab').count()).toBe(1);
      await page.reload();
      // Once its contents are there, whatever else opens by itself is there, too.
      await new Panel(page).lane().waitFor();
      expect(await page.locator('.tab').count()).toBe(1);
    } finally {
      await context.close();
      child.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
    expect(processesOfThisTest()).toEqual([]);
    expect(readdirSync(sockets)).toEqual([]);
  });

  // They show errors beside an exported page: nothing installs what they load.
  it('serves no built-in extension that loads a TypeScript which is not installed', () => {
    const extensions = join(vscodeDir, 'extensions');
    expect(existsSync(join(extensions, 'node_modules', 'typescript'))).toBe(false);
    const present = readdirSync(extensions);
    expect(present).toEqual(expect.arrayContaining(['html', 'javascript', 'typescript-basics']));
    expect(present.filter((name) => /^(html|typescript)-language-features$/.test(name))).toEqual([]);
  });

  it('ends the server when npm start itself is killed', async () => {
    const child = start(['--browser']);
    await addressOf(child);
    expect(processesOfThisTest()).not.toEqual([]);
    child.kill('SIGKILL');
    await expect.poll(processesOfThisTest, { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => readdirSync(sockets), { timeout: 10_000 }).toEqual([]);
  });

  it('ends with an error, and ends the server, when the process that supervises the server is killed', async () => {
    const child = start(['--browser']);
    const ended = once(child, 'exit');
    await addressOf(child);
    child.stdout.resume();
    process.kill(leashOfThisTest(), 'SIGKILL');
    expect(await ended).toEqual([1, null]);
    expect(processesOfThisTest()).toEqual([]);
    expect(readdirSync(sockets)).toEqual([]);
  });

  it('ends on Ctrl+C even when the process that supervises the server is suspended', async () => {
    const child = start(['--browser']);
    const ended = once(child, 'exit');
    await addressOf(child);
    process.kill(leashOfThisTest(), 'SIGSTOP');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(processesOfThisTest()).toEqual([]);
  });

  it('names its flags with --help', async () => {
    const { code, out } = await outcome(start(['--help']));
    expect(code).toBe(0);
    for (const word of ['--browser', '--desktop', 'PORT=']) expect(out).toContain(word);
  });

  it('refuses an unknown flag, and names the known ones', async () => {
    const { code, out, err } = await outcome(start(['--bowser']));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n')[0]).toBe('npm start does not know --bowser.');
    expect(err).toContain('--browser');
  });

  it('refuses a port that is in use or not valid, in one line and before it sets anything up', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    for (const wrong of [String(port), 'http', '70000']) {
      const { code, out, err } = await outcome(start(['--browser'], wrong));
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(new RegExp(`^(Port |PORT=)${wrong}.*PORT=8124 npm start\\.\n$`));
    }
    other.close();
  });
});
