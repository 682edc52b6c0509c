// The API for third-party code: modules of providers, and what `activate()` returns to other extensions. Only
// types; they ship as dist/provider-playground.d.ts, so nothing here may import vscode.
import type { ProviderCredentials, Providers, SamplingParams } from '../../library';
import type * as library from '../../library';

/** The provider library: everything that `src/library` exports, in the same instance that the panel uses. */
export type Library = typeof library;

/** The argument of a provider class's constructor; pass it to `configure()` unchanged. */
export interface CustomCredentials extends ProviderCredentials {
  /** The key that was stored for this connection; absent unless the class says `needsKey`. */
  apiKey?: string | undefined;
  /** The model chosen in the panel; absent while the panel shows `default`. */
  model?: string | undefined;
  /** The `host` of the description. */
  host?: string | undefined;
}

/** How a class describes itself, in its static field `playground`. Every field is optional. */
export interface ProviderDescription {
  /** Name in the list of connections. @default the words of the class name, without `Provider` */
  label?: string | undefined;
  /**
   * Base address of its requests, such as `https://api.acme.example/v1`: shown to the user, passed to the
   * constructor, and used to choose the editor's proxy. @default unknown, so no proxy
   */
  host?: string | undefined;
  /** Model that a new lane starts with. @default 'default', which is not passed to the constructor */
  model?: string | undefined;
  /**
   * Models that the panel offers, unless the class implements `listModelsInternal`. @default none, so a name has
   * to be typed
   */
  models?: readonly string[] | undefined;
  /** Whether a key is asked for and must be stored before a run. @default false */
  needsKey?: boolean | undefined;
  /**
   * Maps each neutral sampling key to the key of the back end, or to null if that has no such parameter. @default
   * the keys of the built-in provider that the class extends, otherwise every key under its own name
   */
  samplingKeys?: { readonly [K in keyof SamplingParams]?: string | null } | undefined;
  /**
   * Passed to the constructor along with the values of the panel; `retry` also tells the panel its limits.
   * @default none
   */
  credentials?:
    Pick<ProviderCredentials, 'sampling' | 'raw' | 'retry' | 'costPer1kTokens' | 'headers'> | undefined;
}

/**
 * Constructed anew for each run with `CustomCredentials`; a constructor may require fields that it knows to be
 * present.
 */
export interface ProviderClass {
  new (credentials: never): Providers;
  readonly playground?: ProviderDescription | undefined;
}

export type ProviderClasses =
  ProviderClass | readonly ProviderClass[] | { readonly [name: string]: ProviderClass };

/** The default export of a module named in `providerPlayground.customProviders`. Called once, when a list is needed. */
export type ProviderModule = (library: Library) => ProviderClasses | Promise<ProviderClasses>;

export interface ProviderRegistration {
  /**
   * Id of the registering extension, such as `acme.acme-models`. Its connections are shown under this id; its keys
   * are bound to it and to the origin of `host`. A second class of the same name under one id is ignored.
   */
  extensionId: string;
  /** Called once, when a list of connections is needed; registering loads nothing. */
  providers: ProviderModule;
}

/** Returned by `vscode.extensions.getExtension('provider-playground.provider-playground').activate()`. */
export interface ProviderPlaygroundApi {
  readonly version: 1;
  /** Loads the library on the first call. */
  library(): Promise<Library>;
  /** @returns a disposable that removes the connections from the list. @throws TypeError for an invalid registration. */
  registerProvider(registration: ProviderRegistration): { dispose(): void };
}
