// Turns what a module or extension returns into a list of provider classes, each validated separately and with a
// complete description. Independent of vscode.
import { t } from '@vscode/l10n';
import type { SamplingParams } from '../../types';
import type { Library, ProviderClass, ProviderDescription } from './api';
import { findProblem } from './check-description';
import { describeError, describeType } from './describe-error';
import { ModuleError } from './evaluate-module';
import { toLabel } from '../../inspect';

export type SamplingKeys = Record<keyof SamplingParams, string | null>;

export interface NamedClass {
  /** Unique within its module. */
  name: string;
  description: ResolvedDescription;
  /** Why this class cannot be used; `providerClass` is undefined then. */
  problem?: string | undefined;
  providerClass?: ProviderClass | undefined;
}

export interface ResolvedDescription extends Omit<ProviderDescription, 'samplingKeys'> {
  label: string;
  models: readonly string[];
  needsKey: boolean;
  samplingKeys: SamplingKeys;
}

const MAX_CLASSES = 50;
const UNNAMED = 'Provider';

/** @param returned Return value of the module's function. @throws ModuleError */
export function nameClasses(returned: unknown, library: Library): NamedClass[] {
  const named = toEntries(returned);
  if (named.length === 0) throw new ModuleError(t('Its function returned no provider class.'));
  if (named.length > MAX_CLASSES) throw new ModuleError(t('It returned more than {0} classes.', MAX_CLASSES));
  const names = new Set<string>();
  return named.map(([given, value]) => {
    let name = given;
    for (let count = 2; names.has(name); count++) name = `${given} ${count}`;
    names.add(name);
    return check(name, value, library);
  });
}

/** Reads the name safely: a class may define a static member called `name`. */
function nameOf(value: unknown): string | undefined {
  try {
    const name: unknown = typeof value === 'function' ? value.name : undefined;
    return typeof name === 'string' && name !== '' ? toLabel(name) : undefined;
  } catch {
    return undefined;
  }
}

function toEntries(returned: unknown): [string, unknown][] {
  if (typeof returned === 'function') return [[nameOf(returned) ?? UNNAMED, returned]];
  if (Array.isArray(returned)) return returned.map((value: unknown) => [nameOf(value) ?? UNNAMED, value]);
  if (typeof returned === 'object' && returned !== null) {
    return Object.entries(returned).map(([name, value]) => [toLabel(name) || UNNAMED, value]);
  }
  throw new ModuleError(
    t(
      'Its function returned {0} instead of a provider class, a list or an object of them.',
      describeType(returned),
    ),
  );
}

function check(name: string, value: unknown, library: Library): NamedClass {
  const label = toWords(nameOf(value) ?? name);
  const bare = { label, models: [], needsKey: false, samplingKeys: OWN_NAMES };
  try {
    return describe({ name, description: bare }, value, library);
  } catch (error) {
    const problem = t('{0} cannot be inspected: {1}', name, describeError(error));
    return { name, description: bare, problem };
  }
}

/** @throws whatever the members of the class throw. */
function describe(named: NamedClass, value: unknown, library: Library): NamedClass {
  const { name } = named;
  if (!isProviderClass(value, library)) {
    const problem = t(
      '{0} is not a class that extends Providers: extend the class of the library that the function receives.',
      name,
    );
    return { ...named, problem };
  }
  const bare = { ...named.description, samplingKeys: samplingKeysOf(value, library) };
  const playground = readOnce(value.playground);
  const fault = findProblem(playground, 'playground');
  if (fault !== undefined) return { name, description: bare, problem: `${name}: ${fault}.` };
  const { samplingKeys, ...given } = (playground ?? {}) as ProviderDescription;
  const description = {
    ...bare,
    ...Object.fromEntries(Object.entries(given).filter(([, field]) => field !== undefined)),
    samplingKeys: { ...bare.samplingKeys, ...samplingKeys },
  };
  description.label = toLabel(description.label);
  return { name, description, providerClass: value };
}

/**
 * Copies the description, so that a getter cannot return something else after validation. Instances of other
 * classes are kept as they are.
 */
function readOnce(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  if (depth > 2 || typeof value !== 'object' || value === null) return value;
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  if (depth > 0 && !isPlain) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, readOnce(field, depth + 1)]));
}

const isProviderClass = (value: unknown, { Providers }: Library): value is ProviderClass =>
  typeof value === 'function' && value.prototype instanceof Providers;

function samplingKeysOf(value: unknown, library: Library): SamplingKeys {
  const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
  const entry = library.PROVIDER_CATALOG.find(({ providerClass }) => prototype instanceof providerClass);
  return entry ? { ...entry.samplingKeys } : OWN_NAMES;
}

/** Sampling keys for a back end about which nothing is known. */
export const OWN_NAMES: SamplingKeys = {
  temperature: 'temperature',
  topP: 'topP',
  topK: 'topK',
  seed: 'seed',
  maxTokens: 'maxTokens',
  numCtx: 'numCtx',
  stop: 'stop',
  repeatPenalty: 'repeatPenalty',
};

/** Turns `AcmeCloudProvider` into `Acme Cloud`. */
function toWords(name: string): string {
  const words = name
    .replace(/Provider$/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim();
  return words || name;
}
