// A connection as configured, without any secret. Independent of vscode.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { Providers, RetryPolicy } from '../library';
import { PROVIDER_CATALOG } from '../library';
import type { ConnectionView } from '../protocol';
import { SECRET_NAME } from '../protocol';
import type { ServerInfo } from '../types';
import type { Face } from './face';
import { secretIn } from './origin';

/** Headers that hold secrets do not belong into settings, which are synced, committed and shared. */
const createHeaders = () =>
  v.record(
    v.pipe(
      v.string(),
      v.check(
        (name) => !SECRET_NAME.test(name),
        () => t('holds a secret and must not be in the settings'),
      ),
    ),
    v.string(),
  );

const createModelName = () =>
  v.pipe(
    v.string(),
    v.check(
      (name) => name.trim() !== '',
      () => t('a model needs a name'),
    ),
  );

const createNotNegative = () => v.pipe(v.number(), v.minValue(0));

const createRates = () => v.strictObject({ input: createNotNegative(), output: createNotNegative() });

const createSampling = () =>
  v.strictObject({
    temperature: v.optional(v.number()),
    topP: v.optional(v.number()),
    topK: v.optional(v.number()),
    seed: v.optional(v.number()),
    maxTokens: v.optional(v.number()),
    numCtx: v.optional(v.number()),
    stop: v.optional(v.array(v.string())),
    repeatPenalty: v.optional(v.number()),
  });

const createRetry = () =>
  v.strictObject({
    maxAttempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    timeoutMs: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(2 ** 31 - 1))),
    initialDelayMs: v.optional(createNotNegative()),
    maxDelayMs: v.optional(createNotNegative()),
    factor: v.optional(v.pipe(v.number(), v.minValue(1))),
    respectRetryAfter: v.optional(v.boolean()),
  });

const createSettingSchema = () =>
  v.strictObject({
    label: v.optional(v.string()),
    provider: v.picklist(PROVIDER_CATALOG.map(({ id }) => id)),
    host: v.optional(
      v.pipe(
        v.string(),
        v.check(
          (host) => secretIn(host) !== 'user',
          () => t('a user name and a password must not be in an address'),
        ),
        v.check(
          (host) => secretIn(host) !== 'query',
          () => t('a key must not be in an address'),
        ),
      ),
    ),
    model: v.optional(createModelName()),
    embedModel: v.optional(createModelName()),
    auth: v.optional(v.picklist(authKinds())),
    tokenLimitKey: v.optional(v.picklist(['max_tokens', 'max_completion_tokens'])),
    sampling: v.optional(createSampling()),
    rescueToolCalls: v.optional(v.boolean()),
    offerToChat: v.optional(v.boolean()),
    chatRawOptions: v.optional(v.boolean()),
    headers: v.optional(createHeaders()),
    retry: v.optional(v.union([v.boolean(), createRetry()])),
    raw: v.optional(v.record(v.string(), v.unknown())),
    costPer1kTokens: v.optional(createRates()),
  });
/** Every way in which a key can be sent to some kind of server, and `none`. */
const authKinds = (): string[] => [
  ...new Set(PROVIDER_CATALOG.flatMap(({ auth }) => auth.map(({ id }) => id))),
  'none',
];

type SettingSchema = ReturnType<typeof createSettingSchema>;

let settingSchema: SettingSchema | undefined;

/**
 * One entry of `providerPlayground.connections`. The manifest has the same schema for the settings editor. Created at the
 * first use, as this file is loaded at activation.
 */
export const connectionSettingSchema = (): SettingSchema => (settingSchema ??= createSettingSchema());
export type ConnectionSetting = v.InferOutput<SettingSchema>;

/** Fields that a key is bound to as well: they are sent along with it and so decide what it is used for. */
export const NARROWED_FIELDS = ['host', 'headers', 'raw'] as const;
export type NarrowedField = (typeof NARROWED_FIELDS)[number];

export type ConnectionScope = ConnectionView['scope'];

export interface Connection {
  id: string;
  label: string;
  scope: ConnectionScope;
  /** Set for a server of this program, which needs no key and has an address only once it runs. */
  builtIn?: BuiltInServer | undefined;
  /** `custom` is a provider outside the catalog, which takes no other settings. */
  setting: ConnectionSetting;
  /** Fields of its requests that the workspace decides and the user's own settings do not. */
  narrowed?: readonly NarrowedField[] | undefined;
  /** Set for a provider class of a module or another extension. */
  provided?: ProvidedConnection | undefined;
  /** What is wrong with the entry, in one sentence that names the field. */
  problem?: string | undefined;
}

export interface BuiltInServer {
  /** Starts the server at the first call. @returns its base address */
  host: () => Promise<string>;
  /** Connections with the same text share the limit of concurrent requests. */
  gate: string;
}

/** Where the key of a connection is stored, and who receives it. */
export interface KeyTarget {
  id: string;
  /**
   * The origin that the key is for, with a hash of what the workspace decides about its requests; for a module the
   * hash of its file. A key is found under the same binding only.
   */
  binding: string;
  /** Set where the workspace decides something: the origin alone, under which the user may already have given a key. */
  wider?: { binding: string; changes: string } | undefined;
  /** The recipient as shown to the user. */
  recipient: string;
  /** Origin that the key is sent to, as far as it is known. */
  origin: string | undefined;
}

export interface ProvidedRequest {
  model: string | undefined;
  rescueToolCalls: boolean;
  apiKey?: string | undefined;
  onRetry?: RetryPolicy['onRetry'];
}

export interface ProviderRequest {
  connection: Connection;
  model: string | undefined;
  rescueToolCalls: boolean;
  /** Merged over the raw keys of the connection. */
  raw?: Readonly<Record<string, unknown>> | undefined;
  onRetry?: RetryPolicy['onRetry'];
}

/** A connection to a provider class outside the catalog. */
export interface ProvidedConnection {
  /** Absent when it needs no key. */
  readonly key: KeyTarget | undefined;
  readonly view: Omit<ConnectionView, 'id' | 'label' | 'scope' | 'hasKey' | 'problem'>;
  /** The last error of its constructor; another attempt may succeed. */
  readonly problem: string | undefined;
  /** Whether it is asked for its models only when a person wants them. @default false */
  readonly waitsForPerson?: boolean | undefined;
  /** The models that it listed when a person last asked for them; it is not asked again to show its state. */
  readonly lastListed?: (() => ServerInfo | undefined) | undefined;
  /** Who receives what is sent, where that is not the address; sentences. */
  readonly privacy?: string | undefined;
  /** @returns a message instead if the provider cannot be created. */
  make: (request: ProvidedRequest) => Providers | string;
}

/** Id of the connection to the models of the editor; settings cannot use it. */
export const EDITOR_MODELS_ID = 'vscode-lm';

/** True for ids of connections that modules and other extensions provide; settings cannot use them. */
export const isReservedId = (id: string): boolean => /^(module|extension):/.test(id);

/** Never throws: an invalid entry becomes a connection with a problem. */
export function toConnection(id: string, value: unknown, scope: ConnectionScope, face: Face): Connection {
  const parsed = v.safeParse(connectionSettingSchema(), value);
  if (parsed.success) return { id, label: parsed.output.label || id, scope, setting: parsed.output };
  const problem = describeProblem(id, parsed.issues, face);
  // Nothing is sent to it, but it is listed like the others, which takes some protocol.
  const provider = PROVIDER_CATALOG[0]?.id ?? '';
  return { id, label: id, scope, setting: { provider }, problem };
}

/** Names the place and the kind of the problem, but never the value, which may be a misplaced secret. */
function describeProblem(
  id: string,
  issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
  face: Face,
): string {
  const [issue] = issues;
  // A choice of several forms names only those; the fault is in a field of the one that was meant.
  const inner = issue.issues?.find(({ path }) => path);
  const place = [id, v.getDotPath(issue), inner && v.getDotPath(inner)].filter(Boolean).join('.');
  return t('In {0}, {1}: {2}.', face.connections, place, explain(inner ?? issue, face));
}

function explain(issue: v.BaseIssue<unknown>, face: Face): string {
  if (issue.type === 'check') {
    // The other checks are not about secrets.
    const isSecret = /^(host|headers)$/.test(String(issue.path?.[0]?.key));
    return isSecret ? `${issue.message}: ${face.giveSecret}` : issue.message;
  }
  if (issue.expected !== 'never') return t('{0} is expected', toWords(issue.expected));
  const { key: name, value } = issue.path?.at(-1) ?? {};
  // A secret is a text: `needsKey: true` is a mistaken field.
  return typeof name === 'string' && SECRET_FIELD.test(name) && typeof value === 'string'
    ? t('a secret must not be in the settings: {0}', face.giveKey)
    : t('there is no such field');
}

/** Turns the expectation of a picklist, such as `("bearer" | "none")`, into words. */
function toWords(expected: string | null): string {
  const choices = expected?.replaceAll(/[()"]/g, '').replaceAll(' | ', ', ') ?? t('another value');
  return choices.includes(', ') ? t('one of {0}', choices) : choices;
}

const SECRET_FIELD = /key$|secret|pass|token$|credential/i;
