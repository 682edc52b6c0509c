// Presents a provider class as a connection of the panel: its view, the storage of its key, and the creation of
// providers. Independent of vscode and of other connections' keys.
import { t } from '@vscode/l10n';
import type { NetworkOptions, Providers, RetryPolicy } from '../../library';
import type { ConnectionView } from '../../protocol';
import type { Connection, KeyTarget, ProvidedConnection, ProvidedRequest } from '../connection';
import type { CustomCredentials, Library } from './api';
import { describeError, describeType } from './describe-error';
import type { NamedClass } from './provider-classes';
import { OWN_NAMES } from './provider-classes';
import { toLabel, toVisible } from '../../inspect';

/** Shown as the model of a class that describes none; it is not passed to the constructor. */
const NO_MODEL = 'default';
/** Changes that are announced: a constructor that fails every second time would cause endless attempts, too. */
const MAX_CHANGES = 10;

export interface ClassOwner {
  scope: 'module' | 'extension';
  /** The full path of the module, or the id of the extension. */
  name: string;
  /** What a key is bound to in addition to owner and class, such as the hash of the module. */
  binding: string;
}

export interface ProviderTools {
  library: Library;
  /** Reads the editor's network settings for an origin. */
  readNetwork: (origin: string) => NetworkOptions;
  /** Called when the view of a connection has changed. */
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

/** A connection that stands for classes that could not be loaded. */
export function toProblemConnection(
  owner: Pick<ClassOwner, 'scope' | 'name'>,
  problem: string,
  tools: ProviderTools,
): Connection {
  const description = {
    label: toLabel(fileName(owner.name)),
    models: [],
    needsKey: false,
    samplingKeys: OWN_NAMES,
  };
  return toProvidedConnection({ ...owner, binding: '' }, { name: '', description, problem }, tools);
}

/** Without the folder of a module, so that a playground names the same connection on every computer and in a terminal. */
function connectionId({ scope, name }: Pick<ClassOwner, 'scope' | 'name'>, className: string): string {
  const owner = scope === 'module' ? fileName(name) : name;
  return [scope, toLabel(owner, 60), className].filter(Boolean).join(':');
}

const fileName = (name: string): string => /[^/\\]+$/.exec(name)?.[0] ?? name;

class ProvidedClass implements ProvidedConnection {
  readonly #owner: ClassOwner;
  readonly #named: NamedClass;
  readonly #tools: ProviderTools;
  #problem: string | undefined;
  /** How often its constructor began to fail, or no longer failed. */
  #changes = 0;

  constructor(owner: ClassOwner, named: NamedClass, tools: ProviderTools) {
    this.#owner = owner;
    this.#named = named;
    this.#tools = tools;
    const { needsKey, models, model } = named.description;
    // Runs the constructor once, so that its failure is visible before a run. A class that needs a key is not
    // tried without the user's knowledge.
    if (named.providerClass && !needsKey) {
      const made = this.#construct({ model: model ?? models[0] ?? '-', rescueToolCalls: true });
      if (typeof made === 'string') this.#problem = made;
    }
  }

  /** The last error of the constructor. */
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
      // Bound to the origin as well: an extension states its own id, so that another one could use it, and a module may read its
      // host from somewhere else.
      binding: `${binding}:${origin ?? ''}`,
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
      // Its own code makes the requests, so tool choice and rates are unknown.
      toolChoiceKey: null,
      hasRates: false,
    };
  }

  make(request: ProvidedRequest): Providers | string {
    const made = this.#construct(request);
    const problem = typeof made === 'string' ? made : undefined;
    // A class that needs a key may succeed with the next one, so its failure is not kept.
    if (problem === this.#problem || this.#named.description.needsKey) return made;
    // Each change leads to another attempt, so a new message of a failing class is not a change: a message that contains the
    // time would cause endless attempts.
    const hasChanged = problem === undefined || this.#problem === undefined;
    this.#problem = problem;
    if (hasChanged && this.#changes++ < MAX_CHANGES) this.#tools.onChange();
    return made;
  }

  get #origin(): string | undefined {
    const { host } = this.#named.description;
    return host === undefined ? undefined : new URL(host).origin;
  }

  #construct(request: ProvidedRequest): Providers | string {
    const { name, providerClass: ProviderClass, description } = this.#named;
    const owner = toVisible(this.#owner.name);
    if (!ProviderClass) return `${owner}: ${this.#named.problem ?? t('The module has no provider class.')}`;
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
      // The described models replace a list that the class cannot provide.
      if (description.models.length > 0 && !implementsList(provider, this.#tools.library)) {
        const value = (): Promise<string[]> => Promise.resolve([...description.models]);
        Object.defineProperty(provider, 'listModels', { value }); // Defined on the instance, because the prototype is frozen.
      }
      return provider;
    } catch (error) {
      // The message may contain the key.
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
      // That of the class comes last: the library ignores what is thrown here, and the rejection of what is returned.
      retry: { ...policy, onRetry: (info) => (onRetry?.(info), policy.onRetry?.(info)) },
    };
  }

  /** The proxy depends on the address, so without an address none is used. */
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

/** `false` means one attempt, `true` the defaults. */
function toPolicy(retry: RetryPolicy | boolean | undefined): RetryPolicy {
  if (retry === false) return { maxAttempts: 1 };
  return typeof retry === 'object' && retry !== null ? retry : {};
}

/**
 * Limits, as far as they are numbers. The library refuses others in the constructor; here one invalid class must
 * not break the whole list.
 */
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
