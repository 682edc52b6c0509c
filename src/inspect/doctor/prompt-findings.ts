// Findings about what the server was sent and read: tools that were not sent, a truncated prompt, a full context. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FindingEvidence } from '../../types';
import type { ChatWire, DiagnosisInput } from './diagnosis-input';
import { inAnswer, inRequest, quote } from './diagnosis-input';
import { raiseContext } from './remedies';
import { contextAdvice } from './server-advice';
import { isRecord } from '../../library';

/** In UTF-16 code units. The token count of a shorter prompt proves nothing. */
const MIN_CHARACTERS = 8_000;
/** No natural text or code has more characters per token on average. */
const MAX_PER_TOKEN = 12;
/** Few texts have more characters per token. */
const MANY_PER_TOKEN = 6;
const USUAL_PER_TOKEN = 4;
/** Share of the context above which a prompt counts as filling it, because too little space is left for a reply. */
const FULL = 0.97;

export function promptFindings(input: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  if (!wire) return [];
  return [
    ...unsentToolFindings(input, wire),
    ...truncatedPromptFindings(input, wire),
    ...fullContextFindings(input, wire),
  ];
}

function unsentToolFindings({ tools, turn }: DiagnosisInput, { body }: ChatWire): Finding[] {
  const sent = Array.isArray(body['tools']) ? body['tools'].length : 0;
  if (tools.length === 0 || sent > 0) return [];
  const isRaw = turn.exchange.overridden.includes('tools');
  return [
    {
      cause: 'tools-not-sent',
      severity: 'error',
      what: isRaw
        ? t('Tools are offered, but none was sent: the request has no `tools`, because `raw` replaces them.')
        : t('Tools are offered, but none was sent: the request has no `tools`.'),
      evidence: [quote(inRequest('/tools'), body['tools'] === undefined ? t('(absent)') : body['tools'])],
      next: isRaw ? t('Remove `tools` from `raw`.') : t('Look at the request as it was sent.'),
      tab: 'wire',
      ...(isRaw && { remedies: [{ kind: 'raw', path: ['tools'] }] }),
    },
  ];
}

/** Servers cut a long prompt at its beginning, where the system prompt and the tools are. */
function truncatedPromptFindings({ turn, setting }: DiagnosisInput, wire: ChatWire): Finding[] {
  const { promptTokens } = turn.raw.usage;
  const { body, server } = wire;
  const characters = promptLength(body);
  if (promptTokens === undefined || characters < MIN_CHARACTERS) return [];
  if (promptTokens >= characters / MAX_PER_TOKEN) return [];
  const about = estimate(characters);
  return [
    {
      cause: 'prompt-cut',
      severity: 'warning',
      what: t(
        'The server read {0} tokens of a prompt of {1} characters, which is about {2} tokens: its beginning was probably cut off, where the system prompt and the tools are.',
        promptTokens,
        characters,
        about,
      ),
      evidence: [
        quote(promptPlace(wire), promptTokens),
        quote(t('request'), t('{0} characters of text and tools', characters)),
      ],
      next: contextAdvice(setting, server),
      tab: 'wire',
      remedies: raiseContext(setting, about, { now: sizeOf(body) }),
    },
  ];
}

/** Only for requests that set the context size. */
function fullContextFindings({ turn, setting }: DiagnosisInput, wire: ChatWire): Finding[] {
  const { body } = wire;
  const { promptTokens, completionTokens = 0 } = turn.raw.usage;
  const size = sizeOf(body);
  if (size === undefined) return [];
  const about = Math.round(promptLength(body) / MANY_PER_TOKEN);
  const isPrompt = promptTokens !== undefined && promptTokens >= size * FULL;
  const isBoth = promptTokens !== undefined && promptTokens + completionTokens >= size;
  const isTooSmall = about > size;
  if (!isPrompt && !isBoth && !isTooSmall) return [];
  const quoted: FindingEvidence[] = [
    quote(inRequest('/options/num_ctx'), size),
    ...(promptTokens === undefined ? [] : [quote(promptPlace(wire), promptTokens)]),
  ];
  const wanted = Math.max(estimate(promptLength(body)), (promptTokens ?? 0) + completionTokens);
  const rest = {
    severity: 'warning',
    tab: 'wire',
    remedies: raiseContext(setting, wanted, { now: size }),
  } as const;
  if (isTooSmall) {
    return [
      {
        ...rest,
        cause: 'context-too-small',
        what: t(
          'The context has room for {0} tokens, and the prompt alone has about {1}: its beginning is cut off, where the system prompt and the tools are.',
          size,
          estimate(promptLength(body)),
        ),
        evidence: [...quoted, quote(t('request'), t('{0} characters of text and tools', promptLength(body)))],
        next: t('Raise Context size, or send less.'),
      },
    ];
  }
  const what = isPrompt
    ? t(
        'The prompt fills the context: {0} of {1} tokens, so there is no room for a reply, and its beginning may be cut off.',
        promptTokens ?? 0,
        size,
      )
    : t(
        'Prompt and reply fill the context: {0} and {1} of {2} tokens.',
        promptTokens ?? 0,
        completionTokens ?? 0,
        size,
      );
  return [
    { ...rest, cause: 'context-full', what, evidence: quoted, next: t('Raise Context size, or send less.') },
  ];
}

export const promptPlace = ({ protocol }: ChatWire): string => inAnswer(protocol.replyPlaces.promptTokens);

const estimate = (characters: number): number => Math.round(characters / USUAL_PER_TOKEN);

/** Estimated number of tokens in the prompt of a request. */
export const estimatePrompt = ({ body }: ChatWire): number => estimate(promptLength(body));

function sizeOf(body: Record<string, unknown>): number | undefined {
  const options = isRecord(body['options']) ? body['options'] : {};
  const size = options['num_ctx'];
  return typeof size === 'number' && size > 0 ? size : undefined;
}

/** Number of UTF-16 code units that the model reads as text; images do not count. */
function promptLength(body: Record<string, unknown>): number {
  const { messages, input, system, instructions } = body;
  const history: unknown[] = [messages, input].flatMap((list) => (Array.isArray(list) ? list : []));
  const texts = [
    textLength(system ?? instructions),
    ...history.map((message) =>
      isRecord(message) ? textLength(message['content'] ?? message['output']) : 0,
    ),
  ];
  const tools = Array.isArray(body['tools']) ? JSON.stringify(body['tools']).length : 0;
  return texts.reduce((sum, length) => sum + length, tools);
}

function textLength(content: unknown): number {
  if (typeof content === 'string') return content.length;
  if (!Array.isArray(content)) return 0;
  const parts = content.map((part: unknown) => {
    const { text, content: inner } = isRecord(part) ? part : {};
    return typeof text === 'string' ? text.length : textLength(inner);
  });
  return parts.reduce((sum, length) => sum + length, 0);
}
