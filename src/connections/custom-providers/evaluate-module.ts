// Runs a module from its bytes in memory, so that exactly what was hashed runs, even if the file changes. The
// module must be a single file and may import only Node's built-in modules. What its code reads by itself, as with
// `fs` or `createRequire`, is not restricted.
import { t } from '@vscode/l10n';
import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { findRefusal, notSelfContained, toModuleAddress } from './refuse-imports';

export interface ModuleSource {
  /** Absolute path, for messages and stack traces only; it is not read. */
  path: string;
  bytes: Uint8Array;
}

/** What is wrong with a module, as a sentence. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError';
}

/** @returns its default export, evaluated anew each time. @throws ModuleError */
export async function evaluateModule({ path, bytes }: ModuleSource): Promise<unknown> {
  const text = decode(bytes);
  try {
    if (/\.mjs$/i.test(path)) return await runModule(path, text);
    const run = compile(path, text, /\.js$/i.test(path));
    return run ? run() : await runModule(path, text);
  } catch (error) {
    throw error instanceof ModuleError
      ? error
      : new ModuleError(explain(error, { path, text }), { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ModuleError(t('It is not UTF-8 text.'), { cause: error });
  }
}

/** @returns undefined for text that is not CommonJS if it may be an ES module. */
function compile(path: string, text: string, mayBeOther: boolean): (() => unknown) | undefined {
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  let body: (...values: unknown[]) => void;
  try {
    body = compileFunction(text.replace(/^#!.*/, ''), parameters, { filename: path }) as typeof body;
  } catch (error) {
    if (mayBeOther) return undefined;
    throw error;
  }
  return () => {
    const module: { exports: unknown } = { exports: {} };
    body(module.exports, requireBuiltin(path), module, path, path.replace(/[/\\][^/\\]*$/, ''));
    const { exports } = module;
    const hasDefault = typeof exports === 'object' && exports !== null && 'default' in exports;
    return hasDefault ? exports.default : exports;
  };
}

function requireBuiltin(path: string): (id: string) => unknown {
  const load = createRequire(path);
  return (id) => {
    if (!isBuiltin(id)) throw new ModuleError(notSelfContained(id));
    return load(id) as unknown;
  };
}

async function runModule(path: string, text: string): Promise<unknown> {
  // The URL is shown in stack traces.
  const named = `${text}\n//# sourceURL=${pathToFileURL(path).href}\n`;
  const module = (await import(/* @vite-ignore */ toModuleAddress(named))) as { default?: unknown };
  return module.default;
}

function explain(error: unknown, source: { path: string; text: string }): string {
  if (!(error instanceof Error)) return t('It threw {0} instead of an error.', typeof error);
  const refusal = findRefusal(error);
  if (refusal !== undefined) return refusal;
  const { code } = error as Error & { code?: unknown };
  // Raised by `import()` in a CommonJS module.
  if (code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING') return notSelfContained(undefined);
  if (error instanceof SyntaxError) return syntaxErrorMessage(error.message, lineOf(error, source));
  return t('It threw {0}: {1}', error.name, error.message);
}

const syntaxErrorMessage = (message: string, line: string | undefined): string =>
  line === undefined
    ? t('It cannot be read: {0}.', message)
    : t('It cannot be read: {0} in line {1}.', message, line);

/**
 * Node reports the line of an error in a script, but not in an ES module. The script's line is used when both fail
 * with the same message.
 */
function lineOf(error: SyntaxError, { path, text }: { path: string; text: string }): string | undefined {
  try {
    compile(path, text, false);
  } catch (asScript) {
    if (!(asScript instanceof SyntaxError) || asScript.message !== error.message) return undefined;
    const [, line] = /^[^\n]*:(\d+)\n/.exec(asScript.stack ?? '') ?? [];
    return line;
  }
  return undefined;
}
