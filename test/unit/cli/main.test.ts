// The program as processes: several at once as in a CI, and killed at any moment.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandFolder, playground, ROWS } from '../../support/cli/command-folder';
import { ChatServer } from '../../support/servers/chat-server';
import { startServer } from '../../support/servers/http-server';

const SHARDS = 4;
const KILLS = 30;
let program = '';
let folder: CommandFolder;
const server = new ChatServer(15);

beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), 'program-'));
  await build({
    entryPoints: ['src/cli/main.ts'],
    outfile: join(program, 'cli.cjs'),
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
    logLevel: 'error',
  });
  folder = await CommandFolder.open();
  await mkdir(join(folder.path, 'prompts'));
  await folder.write('prompts/weather.playground.json', playground());
  await server.start();
});
afterAll(() => Promise.all([server.stop(), folder.close(), rm(program, { recursive: true })]));

/** @returns the exit code, or the signal that ended it */
function start(command: string, environment: object = {}) {
  const child = spawn(
    'sh',
    ['-c', command.replaceAll(/npx (?:--no )?provider-playground/g, `exec node ${join(program, 'cli.cjs')}`)],
    {
      cwd: folder.path,
      env: { PATH: process.env.PATH, ...environment },
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<{ code: number | string | null; text: string }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? signal, text }));
  });
  return { child, ended };
}

/** The commands of a file for a CI, in their order. */
const commandsOf = (name: string): string[] =>
  [
    ...readFileSync(join('media/ci', name), 'utf8').matchAll(
      /^\s*(?:- run:|-) (npx --no provider-playground .*)$/gm,
    ),
  ].map(([, command = '']) => command);

/** What each service sets in the process with this number, from 1. */
const SERVICES: Record<string, (index: number) => Record<string, string>> = {
  'github-actions.yml': () => ({ GITHUB_ACTIONS: 'true' }),
  'gitlab.yml': (index) => ({ CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(SHARDS) }),
  'kubernetes-job.yml': (index) => ({ JOB_COMPLETION_INDEX: String(index - 1) }),
};

describe.runIf(process.platform === 'linux')('an output on a full disk', () => {
  it('ends the command with an error', async () => {
    const { code, text } = await start('npx provider-playground --help > /dev/full').ended;
    expect(code).toBe(2);
    expect(text).toMatch(/The output cannot be written: the disk is full.*Free space/s);
  });
});

describe('the program', () => {
  it('has a file for each service', () => {
    expect(readdirSync('media/ci').toSorted()).toEqual(Object.keys(SERVICES));
  });

  // A registry could answer with the program of anybody, who would get the keys.
  it.each(Object.keys(SERVICES))('comes from no registry in %s', (name) => {
    const text = readFileSync(join('media/ci', name), 'utf8');
    const steps = text
      .match(/^\s*- (?:run: )?np[mx] .*$/gm)
      ?.map((step) => step.replace(/^\W*(?:run: )?/, ''));
    const installs = name.startsWith('kubernetes') ? [] : ['npm ci --ignore-scripts'];
    expect(steps).toEqual(commandsOf(name).flatMap((command) => [...installs, command]));
  });

  it.each(Object.keys(SERVICES))(
    'runs the commands of %s: four at once, then what joins them',
    async (name) => {
      const [evaluate = '', merge = '', ...more] = commandsOf(name);
      expect(more).toEqual([]);
      await rm(join(folder.path, 'blobs'), { recursive: true, force: true });
      const parts = await Promise.all(
        Array.from({ length: SHARDS }, (_each, index) => {
          const command = evaluate.replaceAll('${{ matrix.shard }}', String(index + 1));
          return start(command, SERVICES[name]?.(index + 1)).ended;
        }),
      );
      expect(parts.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      const { code, text } = await start(merge, SERVICES[name]?.(1)).ended;
      expect(text).toContain(`${ROWS.length} rows, ${ROWS.length * 2} samples: ${ROWS.length} passed`);
      expect(text.includes('::error file=prompts/weather.playground.json')).toBe(name.startsWith('github'));
      expect(code).toBe(1);
      expect(await folder.read('junit.xml')).toContain('<testsuites name="provider-playground" tests="14"');
    },
  );

  it('sends no finished sample again and loses none, killed at any moment', async () => {
    await folder.write(
      'settings.json',
      JSON.stringify({
        own: { provider: 'hosted-api', host: `${server.host}/v1`, model: 'm', auth: 'none' },
      }),
    );
    await folder.write(
      'killed.playground.json',
      playground({ lanes: [{ id: 'a', connection: 'own' }], evaluate: { rows: ROWS, repeat: 100 } }),
    );
    const total = ROWS.length * 100;
    const command = (resume: string) =>
      `npx provider-playground eval killed.playground.json --connections settings.json --min-case 0 --quiet ${resume} killed.jsonl`;
    const finished = async (): Promise<string[]> => {
      const lines = (await folder.read('killed.jsonl').catch(() => '')).split('\n').slice(1, -1);
      return lines
        .filter((line) => line.startsWith('{"key"'))
        .map((line) => (JSON.parse(line) as { key: string }).key);
    };
    let known: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const before = server.requests.length;
      const { child, ended } = start(command(kill === 0 ? '--blob' : '--resume'));
      // Waits until it has sent something, and then for as long as chance says.
      while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
      child.kill('SIGKILL');
      expect((await ended).code).toBe('SIGKILL');
      // What was on its way when it was killed still arrives.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const now = await finished();
      expect(now.slice(0, known.length)).toEqual(known);
      // No more is under way at once than four samples.
      expect(server.requests.length - before - (now.length - known.length)).toBeLessThanOrEqual(4);
      known = now;
    }
    const before = server.requests.length;
    expect((await start(command('--resume')).ended).code).toBe(0);
    expect(server.requests.length - before).toBe(total - known.length);
    const all = await finished();
    expect([all.length, new Set(all).size]).toEqual([total, total]);
  });

  it('shows a reply as it arrives, and stops at the first Ctrl+C', async () => {
    await using slow = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One half \\u001b[2J"}}]}\n\n');
    });
    await folder.write(
      'slow.json',
      JSON.stringify({ own: { provider: 'hosted-api', host: `${slow.url}/v1`, model: 'm', auth: 'none' } }),
    );
    const command = 'npx provider-playground run Hello --connections slow.json --connection own';
    const { child, ended } = start(command);
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => String(chunk).includes('half') && resolve());
    });
    child.kill('SIGINT');
    const { code, text } = await ended;
    expect(code).toBe(130);
    expect(text).toMatch(/One half \\u\{1b\}\[2J[^]*Stopping\. Press Ctrl\+C again/);
  });

  it('ends with the report, whatever a provider module leaves open, and at Ctrl+C though it never answers', async () => {
    const module = `export default ({ Providers }) =>
      class AcmeProvider extends Providers {
        chatInternal() {
          setInterval(() => {}, 1000);
          return new Promise((resolve) => process.argv.includes('left') && resolve({ content: 'Rain' }));
        }
      };`;
    await folder.write('acme.mjs', module);
    for (const id of ['left', 'stuck']) {
      const lanes = [{ id, connection: 'module:acme.mjs:AcmeProvider' }];
      await folder.write(`${id}.json`, playground({ lanes, expect: [{ text: { $contains: 'Rain' } }] }));
    }
    const command = 'npx provider-playground eval --provider acme.mjs --allow-code --lane';
    const left = await start(`${command} left left.json`).ended;
    expect([left.code, left.text]).toEqual([0, expect.stringContaining('Gates met')]);
    const { child, ended } = start(`${command} stuck stuck.json`);
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk) => String(chunk).includes('7 requests') && resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGINT');
    const stuck = await ended;
    expect([stuck.code, stuck.text]).toEqual([130, expect.stringContaining('stopped by you')]);
  });

  it('diagnoses the demo', async () => {
    const { code, text } = await start('npx provider-playground diagnose demo --model native-call').ended;
    expect([code, text]).toEqual([0, expect.stringContaining('✓ Tool call: Native')]);
  });

  it('answers a reader that has enough, and is run through a link', async () => {
    await symlink(join(program, 'cli.cjs'), join(program, 'link'));
    const { code, text } = await start(`node ${join(program, 'link')} eval --help | head -1`).ended;
    expect([code, text.split('\n')[0]]).toEqual([0, expect.stringContaining('Sends every row')]);
  });
});
