// Interfaces of everything that connections need from outside: settings, secrets, network settings, files, and other
// people's code. The host implements them with VS Code; a command line can with files and the environment.
import type { LogSink } from '../session';
import type { ProviderRegistration } from './custom-providers/api';
import type { CustomConnections } from './custom-providers/custom-connections';
import type { ProviderTools } from './custom-providers/provided-connection';
import type { Face } from './face';
import type { MarkPlaces } from './keys/secret-marks';
import type { NetworkSettings } from './network/resolve-network';
import type { Source } from './sources/source';

/** The value of a setting in each scope. Settings are written by hand, so any of them may be of any type. */
export interface ScopedSetting {
  /** Merged over the scopes that count. */
  merged: unknown;
  user?: unknown;
  /** Absent if the workspace is not trusted; its settings do not count then. */
  workspace?: unknown;
  folder?: unknown;
}

export interface Settings {
  /** Reads the setting anew each time. @param name The part after `providerPlayground.` */
  read: (name: 'connections' | 'customProviders') => ScopedSetting;
}

/** Keeps texts that nobody else may read. */
export interface SecretStore {
  get: (name: string) => PromiseLike<string | undefined>;
  store: (name: string, text: string) => PromiseLike<void>;
  delete: (name: string) => PromiseLike<void>;
  /** Names of all stored texts. */
  keys: () => PromiseLike<string[]>;
  /** Reports changes, as far as they are known; `key` is the name. */
  onDidChange: (listener: (change: { key: string }) => void) => { dispose: () => unknown };
}

/** Provider classes from modules and other programs. */
export interface CustomCode {
  /** Loads what runs modules. Called only when a module is named or something is registered. */
  open: (tools: ProviderTools & { log: LogSink }) => Promise<CustomConnections>;
  registrations: () => readonly ProviderRegistration[];
  /** Called when something is registered or removed. @returns a function that ends the subscription */
  onDidRegister: (listener: () => void) => () => void;
}

/** The files of tool libraries. `File` is how the front end names a file. */
export interface LibraryFiles<File> {
  /** The user's own library. */
  readonly user: File;
  /** Files that a playground may mean by a relative path, nearest first. None is far from the playground or its workspace. */
  near: (path: string, sessionId: string) => readonly File[];
  /** The same text for the same file. */
  keyOf: (file: File) => string;
  /** @returns undefined when there is no such file. @throws when that cannot be found out */
  state: (file: File) => Promise<{ mtime: number; size: number } | undefined>;
  /** @throws with the reason, for the end of a sentence, when it cannot be read or is too large */
  read: (file: File) => Promise<string>;
  /** Where the file is, for a list. */
  describe: (file: File) => string;
}

/** Keeps JSON values from window to window. */
export interface Memory {
  get: (key: string) => unknown;
  update: (key: string, value: unknown) => PromiseLike<void>;
}

export interface ConnectionPorts {
  face: Face;
  settings: Settings;
  secrets: SecretStore;
  /** Where windows tell each other that a secret has changed; absent if there is only one. */
  marks?: MarkPlaces | undefined;
  /** What is remembered from window to window; absent: nothing. */
  memory?: Memory | undefined;
  network: NetworkSettings;
  custom: CustomCode;
  /** What only this front end has. @default none */
  sources?: readonly Source[] | undefined;
  log: LogSink;
}
