// A connection as it is configured: no secret is part of it. Knows no vscode.
import * as v from 'valibot';

/** Headers that hold secrets do not belong into settings, which are synced, committed and shared. */
const SECRET_HEADER =
  /authorization|cookie|api[-_]?key|(access|auth|secret|subscription|functions|private|master)[-_]?key|token$|secret|passw|passphrase|credential|^(key|sig)$/i;

const Headers = v.record(
  v.pipe(
    v.string(),
    v.check(
      (name) => !SECRET_HEADER.test(name),
      'holds a secret and does not belong into settings: use Set API Key',
    ),
  ),
  v.string(),
);

const Rates = v.strictObject({ input: v.number(), output: v.number() });

const Retry = v.strictObject({
  maxAttempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  timeoutMs: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(2 ** 31 - 1))),
  initialDelayMs: v.optional(v.number()),
  maxDelayMs: v.optional(v.number()),
  factor: v.optional(v.number()),
  respectRetryAfter: v.optional(v.boolean()),
});

const hasUserInfo = (host: string): boolean => {
  const url = URL.canParse(host) ? new URL(host) : undefined;
  return url !== undefined && (url.username !== '' || url.password !== '');
};

/** One entry of `providerPlayground.connections`; the manifest's schema says the same to the settings editor. */
export const ConnectionSettingSchema = v.strictObject({
  label: v.optional(v.string()),
  provider: v.picklist(['local-host', 'hosted-api']),
  host: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (host) => !hasUserInfo(host),
        'a user and a password do not belong into an address: use Set API Key',
      ),
    ),
  ),
  model: v.optional(v.string()),
  auth: v.optional(v.picklist(['bearer', 'api-key', 'none'])),
  tokenLimitKey: v.optional(v.picklist(['max_tokens', 'max_completion_tokens'])),
  headers: v.optional(Headers),
  retry: v.optional(v.union([v.boolean(), Retry])),
  raw: v.optional(v.record(v.string(), v.unknown())),
  costPer1kTokens: v.optional(Rates),
});
export type ConnectionSetting = v.InferOutput<typeof ConnectionSettingSchema>;

export type ConnectionScope = 'built-in' | 'user' | 'workspace' | 'folder';

export interface Connection {
  id: string;
  label: string;
  scope: ConnectionScope;
  /** Set for the two demo connections, whose address is known once their server runs. */
  demo?: 'local' | 'hosted' | undefined;
  setting: ConnectionSetting;
  /** What is wrong with the entry, in one sentence that names the field. */
  problem?: string | undefined;
}

export const DEMO_CONNECTIONS: readonly Connection[] = [
  {
    id: 'demo',
    label: 'Demo (local protocol)',
    scope: 'built-in',
    demo: 'local',
    setting: { provider: 'local-host', model: 'first-look' },
  },
  {
    id: 'demo-hosted',
    label: 'Demo (hosted protocol)',
    scope: 'built-in',
    demo: 'hosted',
    setting: { provider: 'hosted-api', model: 'first-look', auth: 'none' },
  },
];

/** Never throws: an entry that is wrong becomes a connection that says so. */
export function toConnection(id: string, value: unknown, scope: ConnectionScope): Connection {
  const parsed = v.safeParse(ConnectionSettingSchema, value);
  if (parsed.success) return { id, label: parsed.output.label || id, scope, setting: parsed.output };
  const problem = describeProblem(id, parsed.issues);
  return { id, label: id, scope, setting: { provider: 'local-host' }, problem };
}

/** By place and kind: a value may be a secret that was put in the wrong place, so none is repeated. */
function describeProblem(id: string, issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const [issue] = issues;
  const place = [id, v.getDotPath(issue)].filter(Boolean).join('.');
  return `In providerPlayground.connections, ${place}: ${explain(issue)}.`;
}

function explain(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'check') return issue.message;
  if (issue.expected !== 'never') return `${issue.expected ?? 'another value'} is expected`;
  const name: unknown = issue.path?.at(-1)?.key;
  return typeof name === 'string' && SECRET_FIELD.test(name)
    ? 'a secret does not belong into settings: use Set API Key'
    : 'there is no such field';
}

const SECRET_FIELD = /key$|secret|pass|token$|credential/i;

/** Scheme, host and port: what a key is bound to. Undefined when the host is no http or https address. */
export function originOf(host: string | undefined): string | undefined {
  const url = host !== undefined && URL.canParse(host) ? new URL(host) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Nothing leaves the machine on these, so http is fine. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
