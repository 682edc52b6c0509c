// A provider class as a connection of the panel: how it is shown, what its key is stored under, and how a provider is made.
// Knows no vscode, and no key but its own.
import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { NetworkOptions, Providers, RetryPolicy } from '../../library';
import type { ConnectionView } from '../../protocol';
import type { Connection, KeyTarget, ProvidedConnection, ProvidedRequest } from '../connections/connection';
import type { CustomCredentials, Library } from './api';
import { describeError, describeType } from './describe-error';
import type { NamedClass } from './provider-classes';
import { OWN_NAMES } from './provider-classes';
import { toLabel, toVisible } from '../visible-text';

/** What the panel shows for the model of a class that describes none; the constructor does not get to see it. */
const NO_MODEL = 'default';

export interface ClassOwner {
  scope: 'module' | 'extension';
  /** The full path of the module, or the id of the extension. */
  name: string;
  /** What a key is bound to beside the owner and the class, such as the hash of the module. */
  binding: string;
}

export interface ProviderTools {
  library: Library;
  /** What the editor says about connections to an origin. */
  readNetwork: (origin: string) => NetworkOptions;
  /** Told when what a connection shows has changed. */
  onChange: () => void;
}

export function toProvidedConnection(owner: ClassOwner, named: NamedClass, tools: ProviderTools): Connection {
  const { name, description, problem } = named;
  return {
    id: connectionId(owner, name),
    label: description.label,
    scope: owner.scope,
    setting: { provider: 'custom' },
    provided: new ProvidedClass(owner, named, tools),
    ...(problem !== undefined && { problem: `${toVisible(owner.name)}: ${problem}` }),
  };
}

/** An entry in place of classes that could not be loaded. */
export function toProblemConnection(
  owner: Pick<ClassOwner, 'scope' | 'name'>,
  problem: string,
  tools: ProviderTools,
): Connection {
  const [name = owner.name] = /[^/\\]+$/.exec(owner.name) ?? [];
  const description = { label: toLabel(name), models: [], needsKey: false, samplingKeys: OWN_NAMES };
  return toProvidedConnection({ ...owner, binding: '' }, { name: '', description, problem }, tools);
}

/** Short enough for every message, whatever the path. */
const connectionId = ({ scope, name }: Pick<ClassOwner, 'scope' | 'name'>, className: string): string =>
  [scope, createHash('sha256').update(name).digest('hex').slice(0, 16), className].filter(Boolean).join(':');

class ProvidedClass implements ProvidedConnection {
  readonly #owner: ClassOwner;
  readonly #named: NamedClass;
  readonly #tools: ProviderTools;
  #problem: string | undefined;

  constructor(owner: ClassOwner, named: NamedClass, tools: ProviderTools) {
    this.#owner = owner;
    this.#named = named;
    this.#tools = tools;
    const { needsKey, models, model } = named.description;
    // so that a constructor that fails is seen before a run; with a key it is not tried behind the person's back
    if (named.providerClass && !needsKey) {
      const made = this.#construct({ model: model ?? models[0] ?? '-', rescueToolCalls: true });
      if (typeof made === 'string') this.#problem = made;
    }
  }

  /** What the constructor failed with when it last ran. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get key(): KeyTarget | undefined {
    const { name, binding, scope } = this.#owner;
    const { description, providerClass } = this.#named;
    if (!providerClass || !description.needsKey) return undefined;
    const origin = this.#origin;
    return {
      id: `${scope}:${name}#${this.#named.name}`,
      // an extension says itself who it is: another one with its id must at least have the key sent to the same place
      binding: scope === 'extension' ? `${binding}:${origin ?? ''}` : binding,
      recipient: origin === undefined ? toVisible(name) : `${origin} (${toVisible(name)})`,
      origin,
    };
  }

  get view(): ProvidedConnection['view'] {
    const { name, description, providerClass } = this.#named;
    return {
      provider: name || this.#owner.scope,
      address: providerClass
        ? (this.#origin?.replace(/^https?:\/\//, '') ?? t('an address that its code chooses'))
        : t('not loaded'),
      ...(providerClass && { model: description.model ?? NO_MODEL }),
      needsKey: description.needsKey,
      samplingKeys: description.samplingKeys satisfies ConnectionView['samplingKeys'],
      limits: toLimits(description.credentials?.retry, this.#tools.library),
      // its own code makes the request, and tells its rates to nobody
      hasToolChoice: false,
      hasRates: false,
    };
  }

  make(request: ProvidedRequest): Providers | string {
    const made = this.#construct(request);
    const problem = typeof made === 'string' ? made : undefined;
    // with a key it may work with the next one
    if (problem === this.#problem || this.#named.description.needsKey) return made;
    this.#problem = problem;
    this.#tools.onChange();
    return made;
  }

  get #origin(): string | undefined {
    const { host } = this.#named.description;
    return host === undefined ? undefined : new URL(host).origin;
  }

  #construct(request: ProvidedRequest): Providers | string {
    const { name, providerClass: ProviderClass, description } = this.#named;
    const owner = toVisible(this.#owner.name);
    if (!ProviderClass) return `${owner}: ${this.#named.problem ?? t('It has no provider class.')}`;
    try {
      const provider: unknown = new ProviderClass(this.#toCredentials(request) as never);
      if (!(provider instanceof this.#tools.library.Providers)) {
        return t(
          '{0}: the constructor of {1} returned {2} instead of a provider.',
          owner,
          name,
          describeType(provider),
        );
      }
      // own models stand in for a list that the class cannot give
      if (description.models.length > 0 && !implementsList(provider, this.#tools.library)) {
        const value = (): Promise<string[]> => Promise.resolve([...description.models]);
        Object.defineProperty(provider, 'listModels', { value }); // the one of the prototype is frozen
      }
      return provider;
    } catch (error) {
      // its message may hold the key
      const mask = this.#tools.library.createRedactor(request.apiKey === undefined ? [] : [request.apiKey]);
      return t('{0}: the constructor of {1} threw {2}', owner, name, mask.text(describeError(error)));
    }
  }

  #toCredentials({ model, apiKey, rescueToolCalls, onRetry }: ProvidedRequest): CustomCredentials {
    const { host, credentials } = this.#named.description;
    const { retry, ...others } = credentials ?? {};
    const policy = toPolicy(retry);
    return {
      ...others,
      ...(host !== undefined && { host }),
      ...(model !== undefined && model !== NO_MODEL && { model }),
      ...(apiKey !== undefined && { apiKey }),
      rescueToolCalls,
      network: this.#network(),
      retry: { ...policy, onRetry: (info) => (policy.onRetry?.(info), onRetry?.(info)) },
    };
  }

  /** A proxy is chosen by the address, so without one there is none. */
  #network(): NetworkOptions {
    const origin = this.#origin;
    if (origin !== undefined) return this.#tools.readNetwork(origin);
    const {
      proxy: _proxy,
      proxyAuthorization: _authorization,
      ...rest
    } = this.#tools.readNetwork('https://any');
    return rest;
  }
}

/** `false` is one attempt, `true` the defaults. */
function toPolicy(retry: RetryPolicy | boolean | undefined): RetryPolicy {
  if (retry === false) return { maxAttempts: 1 };
  return typeof retry === 'object' && retry !== null ? retry : {};
}

/** As far as they are numbers: the library refuses others in the constructor, and one list must not fail for one class. */
function toLimits(retry: RetryPolicy | boolean | undefined, library: Library): ConnectionView['limits'] {
  const known = {
    connectTimeoutMs: library.CONNECT_TIMEOUT_MS,
    maxAttempts: library.RETRY_DEFAULTS.maxAttempts,
  };
  try {
    const { timeoutMs, maxAttempts } = toPolicy(retry);
    return {
      ...known,
      ...(typeof timeoutMs === 'number' && { timeoutMs }),
      ...(typeof maxAttempts === 'number' && { maxAttempts }),
    };
  } catch {
    return known;
  }
}

const implementsList = (provider: Providers, { Providers: Base }: Library): boolean =>
  Reflect.get(provider, 'listModelsInternal') !== Reflect.get(Base.prototype, 'listModelsInternal');
