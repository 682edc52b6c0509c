// Validates the description of a provider class field by field at run time, because it may be plain JavaScript.
// Independent of vscode.
import { t } from '@vscode/l10n';

type Check = (value: unknown, place: string) => string | undefined;

const KINDS = {
  boolean: (value: unknown) => typeof value === 'boolean',
  'a text of 1 to 200 characters': (value: unknown) =>
    typeof value === 'string' && value.length > 0 && value.length <= 200,
  'an http or https address': (value: unknown) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'an object': (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'a list of texts': (value: unknown) =>
    Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== ''),
} as const;

const mustBe =
  (kind: keyof typeof KINDS): Check =>
  (value, place) =>
    KINDS[kind](value) ? undefined : t('the static field {0} must be {1}', place, kind);

const orNull =
  (check: Check): Check =>
  (value, place) =>
    value === null ? undefined : check(value, place);

/** Checks for an object with these fields and no others, each of them optional. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, place) => {
    const isObject = mustBe('an object')(value, place);
    if (isObject !== undefined) return isObject;
    for (const [name, field] of Object.entries(value as object)) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (!check) return t('there is no field {0}.{1}', place, name);
      const problem = field === undefined ? undefined : check(field, `${place}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

const wireKey = orNull(mustBe('a text of 1 to 200 characters'));
const anything: Check = () => undefined;

const description = fields({
  label: mustBe('a text of 1 to 200 characters'),
  host: mustBe('an http or https address'),
  model: mustBe('a text of 1 to 200 characters'),
  models: mustBe('a list of texts'),
  needsKey: mustBe('boolean'),
  samplingKeys: fields({
    temperature: wireKey,
    topP: wireKey,
    topK: wireKey,
    seed: wireKey,
    maxTokens: wireKey,
    numCtx: wireKey,
    stop: wireKey,
    repeatPenalty: wireKey,
  }),
  // The library validates their contents in the constructor.
  credentials: fields({
    sampling: anything,
    raw: anything,
    retry: anything,
    costPer1kTokens: anything,
    headers: anything,
  }),
});

/** @returns the first problem, in words that follow the name of the class; undefined if there is none. */
export const findProblem: Check = (value, place) =>
  value === undefined ? undefined : description(value, place);
