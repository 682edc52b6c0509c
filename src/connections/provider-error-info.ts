// Describes errors of the library for the user.
import { t } from '@vscode/l10n';
import { HttpError, InvalidOptionsError, NetworkError, ProviderError } from '../library';
import type { ErrorInfo } from '../protocol';
import type { Connection } from './connection';
import type { Face } from './face';
import { asSentence } from './face';
import { isRefusal } from './is-key-refused';
import type { GivenSecret } from './keys/api-keys';
import { nameGiven } from './keys/describe-given';
import { withKey } from './keys/with-key';

/** The proxy that the requests of a connection go through. */
export interface ProxyInUse {
  /** Host and port, without user and password. */
  host: string;
  /** Where it is configured, such as `from the setting http.proxy`. */
  why: string;
}

/** What the requests of a connection are sent with. */
export interface Circumstances {
  proxy?: ProxyInUse | undefined;
  key?: Omit<GivenSecret, 'value'> | undefined;
  /** Names of its secret headers. */
  headers?: readonly string[] | undefined;
  /** Name of the product that answered at the address before. */
  server?: string | undefined;
}

/** @returns undefined if the value is not an error of the library. */
export function describeProviderError(
  thrown: unknown,
  face: Face,
  connection?: Connection,
  circumstances: Circumstances = {},
): ErrorInfo | undefined {
  if (!(thrown instanceof ProviderError)) return undefined;
  const { proxy } = circumstances;
  const info = {
    ...describeFailure(thrown, face, connection),
    next: nextStep(thrown, face),
    ...(connection && describeRefusal(thrown, face, connection, circumstances)),
  };
  if (proxy && thrown instanceof InvalidOptionsError && thrown.field === 'network.proxy')
    return { ...info, ...refuseProxy(proxy, face) };
  const isUnanswered = /^(network|timeout)$/.test(thrown.code) && thrown.ledger.at(-1)?.status === undefined;
  if (!isUnanswered) return info;
  if (proxy) return { ...info, ...describeProxyFailure(thrown, proxy, face) };
  const { server } = circumstances;
  if (server !== undefined && thrown instanceof NetworkError && thrown.errorCode === 'ECONNREFUSED')
    return { ...info, next: t('Start {0}, which answered there before, or correct the address.', server) };
  return thrown instanceof NetworkError && UNTRUSTED.test(thrown.errorCode ?? '')
    ? { ...info, next: adviseTrust(face) }
    : info;
}

const UNTRUSTED = /^(SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_)/;
/** The certificate is what the failure is about. */
const adviseTrust = ({ trustCertificate, diagnosis }: Face): string =>
  `${asSentence(trustCertificate)} ${t('{0} shows who issued it.', diagnosis)}`;

/** The library names its own option, which the user has not set. */
const refuseProxy = ({ host, why }: ProxyInUse, { noProxy }: Face): Partial<ErrorInfo> => ({
  what: t('The proxy {0}, {1}, cannot be used.', host, why),
  why: t('Only HTTP proxies are supported.'),
  next: t('Name a proxy that begins with `http://` or `https://`, or add this host to {0}.', noProxy),
});

/** Adds a note on the proxy: any failure may come from the proxy or from the server behind it. */
function describeProxyFailure(
  error: ProviderError & { errorCode?: string },
  proxy: ProxyInUse,
  face: Face,
): Partial<ErrorInfo> {
  const { explanation, errorCode } = error;
  const way = t('The requests go through the proxy {0}, {1}.', proxy.host, proxy.why);
  if (explanation.why.includes('(407)')) {
    return {
      why: `${t('The proxy requires a user name and password (407).')} ${way}`,
      next: asSentence(face.giveProxyUser),
    };
  }
  const refused = errorCode === 'ECONNREFUSED' ? t('The proxy does not answer.') : whyOf(error);
  const next = UNTRUSTED.test(errorCode ?? '')
    ? adviseTrust(face)
    : t(
        'Check {0}, or add the server to {1}. {2} shows how far a request gets.',
        face.proxy,
        face.noProxy,
        face.diagnosis,
      );
  return { why: `${refused} ${way}`, next };
}

function describeFailure(
  error: ProviderError,
  face: Face,
  connection: Connection | undefined,
): Omit<ErrorInfo, 'next'> {
  const { code, explanation } = error;
  const label = connection?.label ?? t('the server');
  const last = error.ledger.at(-1);
  const titles: Record<ProviderError['code'], string> = {
    http: t('{0} answered with an error', label),
    network:
      last?.status === undefined ? t('No connection to {0}', label) : t('The answer of {0} broke off', label),
    timeout: t('{0} took too long', label),
    aborted: t('Stopped'),
    'response-format': t('The answer of {0} cannot be read', label),
    'truncated-stream': t('The answer of {0} broke off', label),
    'response-too-large': t('The answer of {0} is too large', label),
    'invalid-options': t('The connection cannot be used with its settings'),
    unsupported: t('{0} cannot do this', label),
    'budget-exceeded': t('The budget is used up'),
    refused: t('{0} refused', label),
    internal: t('Something in Provider Playground failed'),
  };
  const why = code === 'aborted' ? asSentence(face.whyStopped) : whyOf(error);
  return {
    code,
    ...(error instanceof HttpError && { status: error.status }),
    title: capitalize(
      explanation.answered === undefined ? titles[code] : t('{0} answered {1}', label, explanation.answered),
    ),
    what: withoutClass(explanation.what, label),
    why,
    ...(code !== 'aborted' && { causes: causesOf(error) }),
  };
}

/** Without the code of the failure, which the causes and the attempts name. */
function whyOf({ explanation, ledger }: ProviderError): string {
  const { errorCode } = ledger.at(-1) ?? {};
  if (errorCode === undefined) return explanation.why;
  const why = explanation.why.replace(` (${errorCode})`, '');
  // What is left when nothing better is known is the system's own message, such as `read EPIPE`.
  return why.includes(errorCode) ? t('The connection failed.') : why;
}

/** What happened, with the connection as the subject instead of a class of the library. */
const withoutClass = (what: string, label: string): string =>
  what
    .replace(/^[\w$]+: (.)/, (_whole, first: string) => first.toUpperCase())
    .replace(/^[\w$]+(?= (failed while|cannot) )/, () => capitalize(label));

function nextStep({ code, explanation }: ProviderError, face: Face): string {
  if (code === 'invalid-options') return asSentence(face.correctSettings);
  if (code === 'internal') return asSentence(face.afterFailure);
  return explanation.next;
}

/** The library cannot know which key was sent, and whether the connection could send one. */
function describeRefusal(
  error: ProviderError,
  face: Face,
  connection: Connection,
  { key, headers = [] }: Circumstances,
): Partial<ErrorInfo> {
  // Words that are known say more than the status, and are about something else.
  if (!(error instanceof HttpError) || !isRefusal(error.status) || error.serverWords) return {};
  if (key) return describeRefusedKey(error, face, connection, key);
  const isSure = error.status === 401;
  if (!withKey(connection)) return isSure && !connection.provided ? { next: adviseOtherProtocol() } : {};
  const rest = {
    why: `${t('It was sent without a key.')} ${error.explanation.why}`,
    isKeyWanted: true,
  } as const;
  if (headers.length > 0) {
    const next = t('Set the secret header {0} again, or {1}.', headers.join(', '), face.giveKey);
    return { ...rest, next };
  }
  return isSure
    ? { ...rest, title: capitalize(t('{0} needs a key', connection.label)), next: asSentence(face.giveKey) }
    : { ...rest, next: `${error.explanation.next} ${t('If it needs a key, {0}.', face.giveKey)}` };
}

function describeRefusedKey(
  { status, ledger, explanation }: HttpError,
  face: Face,
  { label }: Connection,
  key: NonNullable<Circumstances['key']>,
): Partial<ErrorInfo> {
  const isReplaced = (key.givenAt ?? 0) > (ledger.at(-1)?.startedAt ?? Infinity);
  const sent = isReplaced ? t('a key that was replaced since') : nameGiven(key);
  const isKeyWanted = true;
  if (status === 401) {
    return {
      title: capitalize(t('{0} refused the key', label)),
      why: `${t('The server refused {0}.', sent)} ${explanation.why}`,
      next: isReplaced ? t('Try again with the new one.') : asSentence(face.giveAnotherKey),
      isKeyWanted,
    };
  }
  // It may be a key for something else, so it is not said to be wrong.
  return {
    why: `${t('The server does not allow this with {0}.', sent)} ${explanation.why}`,
    next: `${explanation.next} ${t('Or {0}.', face.giveAnotherKey)}`,
    isKeyWanted,
  };
}

const adviseOtherProtocol = (): string =>
  t(
    'This connection sends no key. If the server requires one, set it up as a hosted connection with `auth`.',
  );

/** Internal error names of the library, which the texts above already explain. */
const OWN_NAMES = new Set(['StreamFailure', 'DeadlineError', 'BodyTooLargeError', 'EncodingError']);

/**
 * Names and codes of the causes, outermost first. Messages of foreign errors are left out, because they may repeat
 * what was sent.
 */
function causesOf(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 8; cause = cause.cause) {
    const { code, name } = cause as Error & { code?: unknown };
    const parts = [
      OWN_NAMES.has(name) ? undefined : name,
      typeof code === 'string' ? code : undefined,
    ].filter(Boolean);
    if (parts.length > 0) causes.push(parts.join(' '));
    if (cause instanceof AggregateError) causes.push(...attemptsOf(cause));
  }
  return causes;
}

/** Of a name with several addresses each is tried. */
const attemptsOf = ({ errors }: AggregateError): string[] =>
  errors.slice(0, MAX_ATTEMPTS).flatMap((error: unknown) => {
    const { code, address, port } = Object(error) as Record<string, unknown>;
    if (typeof address !== 'string') return [];
    return [`${String(code)} ${address.includes(':') ? `[${address}]` : address}:${String(port)}`];
  });

const MAX_ATTEMPTS = 8;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
