// What other people's code is written against: modules of providers, and what `activate()` returns to another extension.
// Types alone; they ship as dist/provider-playground.d.ts, so nothing here may name vscode.
import type { ProviderCredentials, Providers, SamplingParams } from '../../library';
import type * as library from '../../library';

/** The provider library: everything that `src/library` exports, the same instance that the panel uses. */
export type Library = typeof library;

/** What a provider class is constructed with: hand it to `configure()` as it is. */
export interface CustomCredentials extends ProviderCredentials {
  /** The key that was stored for this connection; absent unless the class says `needsKey`. */
  apiKey?: string | undefined;
  /** The model chosen in the panel; absent while the panel shows `default`. */
  model?: string | undefined;
  /** The `host` of the description. */
  host?: string | undefined;
}

/** How a class describes itself: its static field `playground`. Every field is optional. */
export interface ProviderDescription {
  /** The name in the list of connections. @default the words of the class name, without `Provider` */
  label?: string | undefined;
  /**
   * Where its requests go, such as `https://api.acme.example/v1`: shown, handed to the constructor, and what decides about
   * the editor's proxy. @default not known: no proxy
   */
  host?: string | undefined;
  /** The model that a new lane starts with. @default 'default', which the constructor does not get to see */
  model?: string | undefined;
  /** What the panel offers, unless the class implements `listModelsInternal`. @default none: a name is typed */
  models?: readonly string[] | undefined;
  /** Whether a key is asked for and must be stored before a run. @default false */
  needsKey?: boolean | undefined;
  /**
   * Neutral sampling key → the back end's own, or null for one that it has no word for. @default those of the built-in
   * provider that it extends, else every key by its own name
   */
  samplingKeys?: { readonly [K in keyof SamplingParams]?: string | null } | undefined;
  /** Handed to the constructor beside what the panel says; `retry` also tells the panel its limits. @default none */
  credentials?:
    Pick<ProviderCredentials, 'sampling' | 'raw' | 'retry' | 'costPer1kTokens' | 'headers'> | undefined;
}

/** Constructed anew for each run, with `CustomCredentials`; a constructor may ask for fields that it knows to be there. */
export interface ProviderClass {
  new (credentials: never): Providers;
  readonly playground?: ProviderDescription | undefined;
}

export type ProviderClasses =
  ProviderClass | readonly ProviderClass[] | { readonly [name: string]: ProviderClass };

/** The default export of a module that `providerPlayground.customProviders` names. Called once, when a list is needed. */
export type ProviderModule = (library: Library) => ProviderClasses | Promise<ProviderClasses>;

export interface ProviderRegistration {
  /**
   * The id of the extension that registers, such as `acme.acme-models`. Its connections are shown under it; its keys are
   * bound to it and to the origin of `host`. A second class of the same name under one id is not used.
   */
  extensionId: string;
  /** Called once, when a list of connections is needed: registering loads nothing. */
  providers: ProviderModule;
}

/** `vscode.extensions.getExtension('provider-playground.provider-playground').activate()` */
export interface ProviderPlaygroundApi {
  readonly version: 1;
  /** Loads the library when first called. */
  library(): Promise<Library>;
  /** @returns what takes the connections out of the list again. @throws TypeError for a registration that is not one. */
  registerProvider(registration: ProviderRegistration): { dispose(): void };
}
