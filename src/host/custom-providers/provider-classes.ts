// What a module or an extension hands over becomes a list of provider classes, each one checked by itself and complete in
// its description. Knows no vscode.
import type { SamplingParams } from '../../types';
import type { Library, ProviderClass, ProviderDescription } from './api';
import { findFault } from './check-description';
import { ModuleError } from './evaluate-module';

export type SamplingKeys = Record<keyof SamplingParams, string | null>;

export interface NamedClass {
  /** Distinct within its module. */
  name: string;
  description: ResolvedDescription;
  /** What keeps this class from being used; the class is undefined then. */
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
/** @param returned By the function that a module exports. @throws ModuleError */
export function nameClasses(returned: unknown, library: Library): NamedClass[] {
  const named = toEntries(returned);
  if (named.length === 0) throw new ModuleError('Its function returned no provider class.');
  if (named.length > MAX_CLASSES) throw new ModuleError(`It returned more than ${MAX_CLASSES} classes.`);
  const names = new Set<string>();
  return named.map(([given, value]) => {
    let name = given;
    for (let count = 2; names.has(name); count++) name = `${given} ${count}`;
    names.add(name);
    return check(name, value, library);
  });
}

const nameOf = (value: unknown): string =>
  (typeof value === 'function' && value.name.slice(0, 100)) || 'Provider';

function toEntries(returned: unknown): [string, unknown][] {
  if (typeof returned === 'function') return [[nameOf(returned), returned]];
  if (Array.isArray(returned)) return returned.map((value: unknown) => [nameOf(value), value]);
  if (typeof returned === 'object' && returned !== null) {
    return Object.entries(returned).map(([name, value]) => [name.slice(0, 100) || 'Provider', value]);
  }
  throw new ModuleError(
    `Its function returned ${describeType(returned)} instead of a provider class, a list or an object of them.`,
  );
}

export const describeType = (value: unknown): string =>
  value === null || value === undefined
    ? String(value)
    : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;

function check(name: string, value: unknown, library: Library): NamedClass {
  const label = toWords(typeof value === 'function' && value.name ? value.name : name);
  const bare = { label, models: [], needsKey: false, samplingKeys: samplingKeysOf(value, library) };
  const refuse = (problem: string): NamedClass => ({ name, description: bare, problem });
  if (!isProviderClass(value, library)) {
    return refuse(
      `${name} is no class that extends Providers: extend the one of the library that the function receives.`,
    );
  }
  const fault = findFault(value.playground, 'playground');
  if (fault !== undefined) return refuse(`${name}: ${fault}.`);
  const { samplingKeys, ...given } = value.playground ?? {};
  const description = {
    ...bare,
    ...Object.fromEntries(Object.entries(given).filter(([, field]) => field !== undefined)),
    samplingKeys: { ...bare.samplingKeys, ...samplingKeys },
  };
  return { name, description, providerClass: value };
}

const isProviderClass = (value: unknown, { Providers }: Library): value is ProviderClass =>
  typeof value === 'function' && value.prototype instanceof Providers;

function samplingKeysOf(value: unknown, library: Library): SamplingKeys {
  const { HostedApiProvider, LocalHostProvider, PROVIDER_CATALOG } = library;
  const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
  const builtIn =
    (prototype instanceof LocalHostProvider && 'local-host') ||
    (prototype instanceof HostedApiProvider && 'hosted-api');
  const entry = PROVIDER_CATALOG.find(({ id }) => id === builtIn);
  return entry ? { ...entry.samplingKeys } : OWN_NAMES;
}

/** For a back end that nothing is known of. */
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

/** `AcmeCloudProvider` → `Acme Cloud` */
function toWords(name: string): string {
  const words = name
    .replace(/Provider$/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim();
  return words || name;
}
