// Findings about the calls of a reply: their tools, arguments and ids. Pure.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { Finding, FindingEvidence, ProviderToolCall, ToolType } from '../../types';
import { countOf } from '../count-words';
import type { ChatWire, DiagnosisInput } from './diagnosis-input';
import { code, inAnswer, quote, quotePart } from './diagnosis-input';
import { jsonFindings, lostArguments, parserAdvice } from './json-findings';
import { lowerTemperature, provideTool } from './remedies';
import { wrappedCallsFinding } from './wrapped-calls';

/** Maximum number of names in one finding. */
const MAX_NAMED = 3;
/** Maximum number of calls that are examined; a reply may have any number. */
const MAX_CALLS = 1_000;

export const callFindings = (input: DiagnosisInput, wire: ChatWire | undefined): Finding[] => [
  ...namelessFindings(input),
  ...jsonFindings(input, wire),
  ...unknownToolFindings(input),
  ...argumentFindings(input, wire),
  ...untypedFindings(input),
  ...repeatedIdFindings(input),
];

/** A call without a name cannot be run, and which tool was meant is not guessed. */
function namelessFindings({ turn }: DiagnosisInput): Finding[] {
  const nameless = turn.exchange.toolCalls.filter(({ isNameless }) => isNameless);
  if (nameless.length === 0) return [];
  return [
    {
      cause: 'nameless-call',
      severity: 'error',
      what: countOf(
        nameless.length,
        t(
          'The server sent {0} native call without a name, so it was left out: nobody can tell which tool it calls.',
        ),
        t(
          'The server sent {0} native calls without a name, so they were left out: nobody can tell which tools they call.',
        ),
      ),
      evidence: nameless
        .slice(0, MAX_NAMED)
        .map(({ rawArguments }) => quote(t('arguments of a call without a name'), rawArguments)),
      next: t(
        'The parser of the server lost the name, or the model wrote none: update the server, or set the parser and the chat template that fit the model.',
      ),
      tab: 'wire',
    },
  ];
}

/** Only native calls can be of unknown tools: text that names a tool which was not offered is no call. */
function unknownToolFindings(input: DiagnosisInput): Finding[] {
  const { turn, tools, idleTools, nearestTools } = input;
  const offered = new Set(tools.map(({ name }) => name));
  const unknown = new Map<string, number[]>();
  for (const [index, { name }] of turn.toolCalls.slice(0, MAX_CALLS).entries()) {
    if (offered.has(name)) continue;
    const numbers = unknown.get(name) ?? [];
    unknown.set(name, numbers);
    numbers.push(index + 1);
  }
  return [...unknown].map(([name, numbers]): Finding => {
    const explained = idleTools.includes(name)
      ? undefined
      : (markedNameFinding(name, numbers, input) ?? wrappedCallsFinding(name, numbers, input));
    if (explained) return explained;
    const [nearest] = nearestTools(name);
    return {
      cause: 'unknown-tool',
      severity: 'warning',
      what:
        nearest === undefined
          ? t('`{0}` was called natively, but was not offered.', name)
          : t('`{0}` was called natively, but was not offered. The nearest tool is `{1}`.', name, nearest),
      evidence: [
        quote(t('call {0}', numbers.slice(0, MAX_NAMED).join(', ')), name),
        quote(t('offered'), [...offered].slice(0, 20).join(', ') || t('(none)')),
      ],
      next: idleTools.includes(name)
        ? t('The playground has that tool: offer it.')
        : t(
            'Answer the call with an error result, rename the tool to the name that the model used, or offer a tool with that name.',
          ),
      tab: 'tool-calls',
      remedies: provideTool(name, idleTools, nearest),
    };
  });
}

/** Characters of the markup around calls. Names of tools have none of them, and a model that invents a name uses none. */
const MARKUP = /[<>[\]{}()|"'`=\n\uFF5C\u2581]/;
/** What the templates of Kimi, gpt-oss and Gemini put around a name that they do not show to the caller. */
const NAMESPACE = /^(?:functions|default_api)[.:]/;
const CALL_NUMBER = /:\d+$/;

/** For a name with the markup of a template in it, which is the fault of the server's parser and not of the model. */
function markedNameFinding(
  name: string,
  numbers: readonly number[],
  { tools, nearestTools }: DiagnosisInput,
): Finding | undefined {
  const offered = tools.map((tool) => tool.name);
  const bare = name.trim().replace(NAMESPACE, '').replace(CALL_NUMBER, '');
  const isMarked = MARKUP.test(name);
  const meant = isMarked ? firstWord(name, offered) : offered.find((tool) => tool === bare);
  const isOfTemplate = isMarked || (NAMESPACE.test(name) && CALL_NUMBER.test(name));
  if (meant === undefined && !isOfTemplate) return undefined;
  const rest = /[\w.-]+/.exec(bare)?.[0] ?? '';
  const [nearest] = nearestTools(rest);
  const what =
    meant === undefined
      ? t('The name of a native call contains markup of the chat template, and no offered tool.')
      : t(
          'The name of a native call contains markup of the chat template beside `{0}`, the tool that is meant.',
          meant,
        );
  return {
    cause: 'markup-in-name',
    severity: 'warning',
    what:
      meant === undefined && nearest !== undefined
        ? `${what} ${t('The nearest tool is `{0}`.', nearest)}`
        : what,
    evidence: [
      quote(t('call {0}', numbers.slice(0, MAX_NAMED).join(', ')), name),
      quote(
        t('offered'),
        tools
          .map((tool) => tool.name)
          .slice(0, 20)
          .join(', ') || t('(none)'),
      ),
    ],
    next: t(
      'The parser of the server took the text around the name for a part of it: update the server, or set the parser and the chat template that fit the model. The tools need no change.',
    ),
    tab: 'tool-calls',
  };
}

/** The word that comes first in the text, not as a part of a longer one. */
function firstWord(text: string, words: readonly string[]): string | undefined {
  const places = words.map((word) => ({ word, at: placeOf(text, word) })).filter(({ at }) => at >= 0);
  return places.toSorted((one, other) => one.at - other.at)[0]?.word;
}

function placeOf(text: string, word: string): number {
  let at = text.indexOf(word);
  while (at >= 0 && /[\w-]/.test(text.slice(Math.max(0, at - 1), at) + text.charAt(at + word.length)))
    at = text.indexOf(word, at + 1);
  return at;
}

function argumentFindings(input: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { turn, tools, setting, schemaIssues } = input;
  return turn.toolCalls.slice(0, MAX_CALLS).flatMap((call, index): Finding[] => {
    const tool = tools.find(({ name }) => name === call.name);
    const isUnread = turn.exchange.toolCalls[index]?.parseError !== undefined;
    if (!tool || (isUnread && typeof call.arguments === 'string')) return [];
    const lost = lostArguments(input, wire, index);
    if (lost) return [lost];
    const place = t('arguments of call {0}', index + 1);
    const given = isRecord(call.arguments) ? Object.keys(call.arguments) : [];
    const isMarked = given.some((key) => TAG.test(key) && schemaAt(tool, `/${key}`) === undefined);
    if (isMarked) return [markedKeyFinding(call, quote(place, call.arguments))];
    return (schemaIssues[index] ?? []).map(({ path, message }): Finding => {
      const value = valueAt(call.arguments, path);
      const isMissing = value === undefined;
      const evidence = [
        quote(isMissing ? place : `${place}, \`${path || '/'}\``, isMissing ? call.arguments : value),
      ];
      const text = toList(value, schemaAt(tool, path));
      const what = `\`${path || '/'}\` of \`${call.name}\` ${message}.`;
      if (text === undefined) {
        return {
          cause: 'schema',
          severity: 'warning',
          what,
          evidence,
          next: t('Say in the description of the parameter what is expected.'),
          tab: 'tool-calls',
          remedies: lowerTemperature(setting),
        };
      }
      return {
        cause: 'text-for-list',
        severity: 'warning',
        what: `${what} ${text}`,
        evidence,
        next:
          path === ''
            ? t(
                'The model, its chat template or a relay encoded the arguments twice: update the server, or try another model.',
              )
            : t(
                'Give an example of the list in the description of the parameter; some chat templates write every argument as text.',
              ),
        tab: 'tool-calls',
      };
    });
  });
}

/** No model writes this into the name of a parameter. */
const TAG = /<[\w|/]/;

const markedKeyFinding = ({ name }: ProviderToolCall, evidence: FindingEvidence): Finding => ({
  cause: 'markup-in-name',
  severity: 'warning',
  what: t('A native call of `{0}` has markup of the chat template in the name of a parameter.', name),
  evidence: [evidence],
  next: parserAdvice(),
  tab: 'tool-calls',
});

/** Describes a text where the schema wants a list or an object; undefined in any other case. */
function toList(value: unknown, schema: unknown): string | undefined {
  if (typeof value !== 'string' || !isRecord(schema)) return undefined;
  const wanted = schema['type'];
  if (wanted !== 'array' && wanted !== 'object') return undefined;
  if (holdsJson(value, wanted)) {
    return wanted === 'array'
      ? t('The text contains the list as JSON: it was encoded as a string once too often.')
      : t('The text contains the object as JSON: it was encoded as a string once too often.');
  }
  return wanted === 'array'
    ? t('The model wrote text where a list belongs.')
    : t('The model wrote text where an object belongs.');
}

/** What was JSON until a template wrote it: with line breaks in its texts, with escaped quotes, with quotes of Python. */
const ALTERED: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/\s/g, ' '),
  (text) => text.replaceAll('\\"', '"'),
  (text) => text.replaceAll("'", '"'),
];

/** Whether a text is the list or the object that belongs there. */
function holdsJson(text: string, wanted: 'array' | 'object'): boolean {
  return [text, ...ALTERED.map((change) => change(text))].some((one) => {
    const value = parse(one);
    return wanted === 'array' ? Array.isArray(value) : isRecord(value);
  });
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function valueAt(value: ProviderToolCall['arguments'], pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}

/** Follows `properties` and `items` only; alternatives and references are not followed. */
function schemaAt({ parameters }: ToolType, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((schema, step) => {
    if (!isRecord(schema)) return undefined;
    const { properties, items } = schema;
    return isRecord(properties) && Object.hasOwn(properties, step) ? properties[step] : items;
  }, parameters);
}

/** Formats that write no quotes leave it to the schema whether `3` is a number. */
function untypedFindings({ turn, tools }: DiagnosisInput): Finding[] {
  const used = turn.toolCalls.length > 0 ? (turn.rescue?.calls ?? []) : [];
  return used.slice(0, MAX_CALLS).flatMap((call): Finding[] => {
    const tool = tools.find(({ name }) => name === call.name);
    if (!tool || !isRecord(call.arguments)) return [];
    const { content } = turn.raw;
    const written = content.slice(call.start, call.end);
    const names = Object.entries(call.arguments).flatMap(([key, value]) =>
      typeof value === 'string' &&
      BARE_VALUE.test(value) &&
      !written.includes(`"${value}"`) &&
      isUntyped(tool, key)
        ? [key]
        : [],
    );
    if (names.length === 0) return [];
    return [
      {
        cause: 'schema',
        severity: 'info',
        what: t(
          'No schema for {0} of `{1}`: the value stayed text.',
          code(names.slice(0, MAX_NAMED)),
          call.name,
        ),
        evidence: [quotePart(t('reply'), content, call.start, call.end)],
        next: t('Give it a type in the parameters of the tool.'),
        tab: 'tool-calls',
      },
    ];
  });
}

const BARE_VALUE = /^\s*(?:true|false|null|-?\d{1,20}(?:\.\d{1,20})?)\s*$/i;
const TYPE_KEYS = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'];

/** Whether the schema says nothing of the type of this argument. */
function isUntyped({ parameters }: ToolType, key: string): boolean {
  const { properties, additionalProperties, patternProperties, ...rest } = parameters;
  if (isRecord(properties) && Object.hasOwn(properties, key)) {
    const schema = properties[key];
    return isRecord(schema) ? !TYPE_KEYS.some((name) => Object.hasOwn(schema, name)) : schema === true;
  }
  const others = [additionalProperties, patternProperties];
  // A combined schema may declare the argument elsewhere.
  return !others.some(isRecord) && !TYPE_KEYS.slice(1).some((name) => Object.hasOwn(rest, name));
}

/** Repeated ids of the server; the calls themselves have unique ids here. */
function repeatedIdFindings({ turn }: DiagnosisInput): Finding[] {
  const repeats = new Map<string, number>();
  for (const { repeatedId } of turn.exchange.toolCalls) {
    if (repeatedId !== undefined) repeats.set(repeatedId, (repeats.get(repeatedId) ?? 0) + 1);
  }
  if (repeats.size === 0) return [];
  const shown = [...repeats].slice(0, MAX_NAMED);
  const listed = shown.map(([id, count]) => t('the id `{0}` to {1} calls', id, count + 1)).join(', ');
  const more = repeats.size - MAX_NAMED;
  return [
    {
      cause: 'repeated-id',
      severity: 'warning',
      what:
        more > 0
          ? t(
              'The server gave {0}, and {1} to several; here a number is added to the later ids.',
              listed,
              countOf(more, t('{0} more id'), t('{0} more ids')),
            )
          : t('The server gave {0}; here a number is added to the later ids.', listed),
      evidence: [quote(inAnswer('tool_calls'), shown.map(([id]) => id).join(', '))],
      next: t(
        'Each result names its call by the id, so a client that keeps these ids may mix the results up.',
      ),
      tab: 'tool-calls',
    },
  ];
}
