// Reads from the headers of a response how much a service says is left of its limits. Independent of protocols.
import type { RateLimit } from '../../../types';
import type { ResponseHeaders } from './response';

/** No service has so many; the headers may be of anybody. */
const MAX_LIMITS = 8;

/**
 * `x-ratelimit-remaining-tokens` of OpenAI and those like it, `anthropic-ratelimit-input-tokens-remaining` of Anthropic.
 * https://platform.openai.com/docs/guides/rate-limits, https://docs.claude.com/en/api/rate-limits
 */
const NAME =
  /^(?:x-ratelimit-(?<field>limit|remaining|reset)-(?<of>[a-z-]{1,40})|anthropic-ratelimit-(?<kind>[a-z-]{1,40})-(?<part>limit|remaining|reset))$/;

/**
 * @param now When the headers arrived, in milliseconds since the epoch.
 * @returns the limits in the order of the headers; undefined when there are none
 */
export function readRateLimits(headers: ResponseHeaders, now: number): RateLimit[] | undefined {
  const fields = headers.fieldsWith('ratelimit-');
  if (fields.length === 0) return undefined;
  const limits = new Map<string, RateLimit>();
  for (const [name, value] of fields) {
    const { field, of, kind = of, part = field } = NAME.exec(name)?.groups ?? {};
    if (kind === undefined || (limits.size === MAX_LIMITS && !limits.has(kind))) continue;
    const [key, read] = part === 'reset' ? ['resetMs', toWaitMs(value, now)] : [part, toCount(value)];
    if (key !== undefined && read !== undefined)
      limits.set(kind, { of: kind, ...limits.get(kind), [key]: read });
  }
  return limits.size > 0 ? [...limits.values()] : undefined;
}

const toCount = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `6m0s`, `1.57s` or `20ms`; seconds; or a date as in RFC 3339. */
function toWaitMs(text: string, now: number): number | undefined {
  if (/^\d{1,10}(?:\.\d{1,9})?$/.test(text)) return Math.round(Number(text) * 1000);
  if (/^(?:\d{1,10}(?:\.\d{1,9})?(?:ms|[smhd]))+$/.test(text)) {
    const parts = text.matchAll(/([\d.]+)(ms|[smhd])/g);
    return Math.round(
      [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0),
    );
  }
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
