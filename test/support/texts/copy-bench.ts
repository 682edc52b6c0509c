// Runs a copied request as a person would paste it, against a server that records each request.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import Anthropic from '@anthropic-ai/sdk';
import { transformSync } from 'esbuild';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { expect } from 'vitest';
import type { CopyForm } from '../../../src/inspect';
import type { ChatOptions, ExchangeRequest, ObservedAttempt, Providers } from '../../../src/library';
import {
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  ResponsesApiProvider,
} from '../../../src/library';
import { sendJson, startServer } from '../servers/http-server';
import type { SeenRequest, TestServer } from '../servers/http-server';
import { PYTHON_PACKAGES } from './python-packages';
import { passByWindowsPowerShell, readPowerShell } from './powershell-words';

export const KEY = 'sk-canary-0123456789';
const run = promisify(execFile);

export interface CopyBench extends AsyncDisposable {
  /** Working folder of the programs. */
  folder: string;
  server: TestServer;
  /** Runs the text, and returns the request that the server receives. */
  paste: (form: CopyForm, text: string) => Promise<SeenRequest>;
  /** Runs the texts one after another in one program. */
  pasteAll: (form: CopyForm, texts: readonly string[]) => Promise<SeenRequest[]>;
  /** Sends a request and records it as a run does. */
  record: (
    provider: Providers,
    options: ChatOptions,
  ) => Promise<{ request: ExchangeRequest; sent: Record<string, string>; seen: SeenRequest }>;
}

/** Its server answers all protocols, and never with a stream. */
export async function openCopyBench(): Promise<CopyBench> {
  const folder = mkdtempSync(join(tmpdir(), 'copied-'));
  for (const [name, text] of Object.entries(PYTHON_PACKAGES)) writeFileSync(join(folder, name), text);
  const server = await startServer((_, response) => sendJson(response, 200, REPLY));
  const env = { ...process.env, MY_KEY: KEY, X_TOKEN: 'token-9876543210', PYTHONPATH: folder };
  const latest = (): SeenRequest => {
    const seen = server.requests.at(-1);
    if (!seen) throw new Error('Nothing was sent.');
    return seen;
  };
  const pasteAll = async (form: CopyForm, texts: readonly string[]): Promise<SeenRequest[]> => {
    const before = server.requests.length;
    await runnerOf(form)(texts.join('\n'), env, folder);
    expect(server.requests).toHaveLength(before + texts.length);
    return server.requests.slice(before);
  };
  return {
    folder,
    server,
    paste: async (form, text) => (await pasteAll(form, [text]))[0] ?? latest(),
    pasteAll,
    record: async (provider, options) => {
      const attempts: ObservedAttempt[] = [];
      const turn = await provider
        .chat({ ...options, onAttempt: (attempt) => void attempts.push(attempt) })
        .catch((error: { exchange: { sent: Record<string, string> } }) => error);
      const request = attempts.at(-1)?.evidence().request;
      if (!request) throw new Error('Nothing was sent.');
      return { request, sent: turn.exchange.sent, seen: latest() };
    },
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true, force: true });
      await server[Symbol.asyncDispose]();
    },
  };
}

const REPLY = {
  choices: [{ index: 0, message: { content: 'hi' }, finish_reason: 'stop' }],
  message: { content: 'hi' },
  done: true,
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  status: 'completed',
  output: [],
};

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const HAS = { curl: hasProgram('curl'), python: hasProgram('python3') };

const isPython = (form: CopyForm): boolean => form.endsWith('python');

/** Whether this machine has the program that the form is for. */
export const canRun = (form: CopyForm): boolean =>
  isPython(form) ? HAS.python : !['bash', 'powershell'].includes(form) || HAS.curl;

type Runner = (text: string, env: NodeJS.ProcessEnv, folder: string) => Promise<unknown>;

const runnerOf = (form: CopyForm): Runner => RUNNERS[form] ?? (isPython(form) ? runPython : runModule);

const RUNNERS: Partial<Record<CopyForm, Runner>> = {
  bash: async (text, env, folder) => {
    const file = join(folder, 'copied.sh');
    writeFileSync(file, text);
    // With history expansion, as in an interactive shell.
    return run('bash', ['-H', file], { env, cwd: folder });
  },
  powershell: async (text, env, folder) => {
    const files = { body: join(folder, 'body'), headers: join(folder, 'headers') };
    const keys = { 'env:MY_KEY': env['MY_KEY'] ?? '', 'env:X_TOKEN': env['X_TOKEN'] ?? '' };
    const statements = readPowerShell(text, { ...files, ...keys });
    for (const [call = '', written = ''] of statements) {
      const [, name] = /^\[System\.IO\.File\]::WriteAllText\(\$(\w+),$/.exec(call) ?? [];
      if (name === 'body' || name === 'headers') writeFileSync(files[name], written.replace(/\)$/, ''));
    }
    const command = statements.find(([first]) => first === 'curl.exe');
    return run('curl', passByWindowsPowerShell(command?.slice(1) ?? []), { env });
  },
  fetch: (text, env) => run(process.execPath, ['--input-type=module', '--eval', text], { env }),
};

async function runPython(text: string, env: NodeJS.ProcessEnv, folder: string): Promise<unknown> {
  const file = join(folder, 'copied.py');
  writeFileSync(file, text);
  return run('python3', [file], { env });
}

/** Runs the text as a module, with its imports replaced by globals. */
async function runModule(text: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { code } = transformSync(text, { loader: 'ts' });
  const body = code.replaceAll(/^import .*$/gm, '');
  const scope = {
    HostedApiProvider,
    LocalHostProvider,
    MessagesApiProvider,
    ResponsesApiProvider,
    Anthropic,
    OpenAI,
    Ollama,
    process: { env, stdout: { write: () => true } },
    console: { log: () => undefined },
    JSON,
  };
  await runInNewContext(`(async () => {${body}})()`, scope);
}
