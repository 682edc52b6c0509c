// Describes errors of the library for the user.
import { t } from '@vscode/l10n';
import { HttpError, InvalidOptionsError, NetworkError, PROVIDER_CATALOG, ProviderError } from '../library';
import type { ErrorInfo } from '../protocol';
import type { Connection } from './connection';

/** The proxy that the requests of a connection go through. */
export interface ProxyInUse {
  /** Host and port, without user and password. */
  host: string;
  /** Where it is configured, such as `from the setting http.proxy`. */
  why: string;
}

/** @returns undefined if the value is not an error of the library. */
export function describeProviderError(
  thrown: unknown,
  connection?: Connection,
  proxy?: ProxyInUse,
): ErrorInfo | undefined {
  if (!(thrown instanceof ProviderError)) return undefined;
  const entry = PROVIDER_CATALOG.find(({ id }) => id === connection?.setting.provider);
  const isKeyless = connection !== undefined && entry?.needsKey(connection.setting) === false;
  const next = isKeyless ? nextWithoutKey(thrown, connection) : undefined;
  const info = { ...describeFailure(thrown, connection), next: next ?? nextStep(thrown) };
  if (proxy && thrown instanceof InvalidOptionsError && thrown.field === 'network.proxy')
    return { ...info, ...refuseProxy(proxy) };
  const isUnanswered = /^(network|timeout)$/.test(thrown.code) && thrown.ledger.at(-1)?.status === undefined;
  if (!isUnanswered) return info;
  if (proxy) return { ...info, ...describeProxyFailure(thrown, proxy) };
  return thrown instanceof NetworkError && UNTRUSTED.test(thrown.errorCode ?? '')
    ? { ...info, next: adviseTrust() }
    : info;
}

const UNTRUSTED = /^(SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_)/;
const adviseTrust = (): string =>
  t(
    'Add the certificate, or its authority, to the certificates of this machine, or name its file in NODE_EXTRA_CA_CERTS before VS Code starts; then reload the window. Diagnose Connection shows who issued it.',
  );

/** The library names its own option, which the user has not set. */
const refuseProxy = ({ host, why }: ProxyInUse): Partial<ErrorInfo> => ({
  what: t('The proxy {0}, {1}, cannot be used.', host, why),
  why: t('Only HTTP proxies are supported.'),
  next: t('Name a proxy that begins with `http://` or `https://`, or add this host to `http.noProxy`.'),
});

/** Adds a note on the proxy: any failure may come from the proxy or from the server behind it. */
function describeProxyFailure(
  { explanation, errorCode }: ProviderError & { errorCode?: string },
  proxy: ProxyInUse,
): Partial<ErrorInfo> {
  const way = t('The requests go through the proxy {0}, {1}.', proxy.host, proxy.why);
  if (explanation.why.includes('(407)')) {
    return {
      why: `${t('The proxy requires a user name and password (407).')} ${way}`,
      next: t('Add user:password@ to the address in http.proxy, or set http.proxyAuthorization.'),
    };
  }
  const refused =
    errorCode === 'ECONNREFUSED' ? t('The proxy does not answer ({0}).', errorCode) : explanation.why;
  const next = UNTRUSTED.test(errorCode ?? '')
    ? adviseTrust()
    : t(
        'Check http.proxy, or add the server to http.noProxy. Diagnose Connection shows how far a request gets.',
      );
  return { why: `${refused} ${way}`, next };
}

function describeFailure(error: ProviderError, connection: Connection | undefined): Omit<ErrorInfo, 'next'> {
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
    internal: t('Something in the extension failed'),
  };
  const why = code === 'aborted' ? t('Stop was pressed, or the panel was closed.') : explanation.why;
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

/** What happened, with the connection as the subject instead of a class of the library. */
const withoutClass = (what: string, label: string): string =>
  what
    .replace(/^[\w$]+: (.)/, (_whole, first: string) => first.toUpperCase())
    .replace(/^[\w$]+(?= (failed while|cannot) )/, () => capitalize(label));

function nextStep({ code, explanation }: ProviderError): string {
  if (code === 'invalid-options') return t('Correct it in the settings.');
  if (code === 'internal') return t('Check the log, and report it if it happens again.');
  return explanation.next;
}

/** The library cannot know that this connection has no key to set. */
function nextWithoutKey({ code, ledger }: ProviderError, { setting }: Connection): string | undefined {
  if (code !== 'http' || ledger.at(-1)?.status !== 401) return undefined;
  const isKeyed = PROVIDER_CATALOG.find(({ id }) => id === setting.provider)?.auth.length ?? 0;
  return isKeyed > 0
    ? t(
        'This connection sends no key, as its `auth` is `none`. If the server requires one, remove `auth` from the settings of the connection, then use Set API Key.',
      )
    : t(
        'This connection sends no key. If the server requires one, set it up as a hosted connection with `auth`.',
      );
}

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
