// The finding about an empty reply: no text and no call. It gives the first reason that the reply itself names. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FindingCause } from '../../types';
import { countOf } from '../count-words';
import type { ChatWire, DiagnosisInput } from './diagnosis-input';
import { inAnswer, quote } from './diagnosis-input';
import { refusalEvidence } from './refusal-findings';
import { promptPlace } from './prompt-findings';

/** Prompts of fewer tokens fit into every context. */
const MIN_LONG_PROMPT = 2_000;

/** Whether the reply has neither text, apart from reasoning, nor a call. */
export function isEmptyReply({ turn: { raw, rescue, toolCalls, exchange } }: DiagnosisInput): boolean {
  // The exchange has the calls without a name too.
  const counts = [toolCalls, exchange.toolCalls, rescue?.calls ?? []].map(({ length }) => length);
  if (counts.some((count) => count > 0)) return false;
  return (rescue?.reasoning === undefined ? raw.content : rescue.content).trim() === '';
}

/** Causes that explain an empty reply themselves. */
const EXPLAINING: ReadonlySet<FindingCause | undefined> = new Set([
  'token-limit',
  'context-limit',
  'context-full',
  'context-too-small',
  'call-in-reasoning',
  'finish-without-call',
]);

/**
 * For an empty reply.
 * @param others The findings about the prompt, the limits, the text and a missing call.
 */
export function emptyReplyFindings(
  input: DiagnosisInput,
  wire: ChatWire | undefined,
  others: readonly Finding[],
): Finding[] {
  const isExplained = others.some(({ cause }) => EXPLAINING.has(cause));
  return isExplained ? [] : [toFinding(input, wire)];
}

function toFinding(input: DiagnosisInput, wire: ChatWire | undefined): Finding {
  const { finishReason = '' } = input.turn.raw;
  const named = REASONS.find(({ finish }) => finish.test(finishReason));
  const isPlain = finishReason === '' || PLAIN_END.test(finishReason);
  const finding =
    named?.toFinding(finishReason) ??
    onlyReasoning(input) ??
    (input.cameToNothing(input.turn) ? lostReply(input, wire) : undefined) ??
    (isPlain ? nothingGenerated(input, wire) : otherEnd(finishReason));
  const finish = quote(t('answer, finish reason'), finishReason || t('(none)'));
  const evidence = [...(finding.evidence ?? []), finish, ...refusalEvidence(input)];
  return { ...finding, evidence, tab: 'reply' };
}

/** How models and servers say that a reply has ended as it should. */
const PLAIN_END = /^(?:stop|end|end_turn|eos|eos_token|stop_sequence|completed?|done)$/i;

interface Reason {
  /** Matches the finish reasons of the servers that give this reason. */
  finish: RegExp;
  toFinding: (finishReason: string) => Finding;
}

const REASONS: readonly Reason[] = [
  {
    // Ollama, for a request without a message, or one that came while the model was being loaded
    finish: /^(?:un)?load$/,
    toFinding: () => ({
      cause: 'empty-reply',
      severity: 'warning',
      what: t('The reply is empty: the server only loaded or unloaded the model, and generated nothing.'),
      next: t('Send the message again.'),
    }),
  },
  {
    // Gemini, also behind gateways: `function_call_filter: MALFORMED_FUNCTION_CALL`
    finish: /malformed|(?:unexpected|invalid|too_many)_(?:tool|function)/i,
    toFinding: (reason) => ({
      cause: 'unread-call',
      severity: 'error',
      what: t(
        'The reply is empty: the model wrote a tool call that the service could not read (`{0}`), and the service dropped it.',
        reason,
      ),
      next: t(
        'Ask again. If it happens often, make the parameters of the tools simpler: fewer of them, no unions, no deep nesting.',
      ),
    }),
  },
  {
    // Azure and OpenAI `content_filter`; Gemini `SAFETY`, `RECITATION`, `PROHIBITED_CONTENT`, `BLOCKLIST`, `SPII`; Zhipu
    // `sensitive`; Bedrock `guardrail_intervened`; Anthropic `refusal`
    finish: /filter|safety|recitation|prohibited|block|spii|sensitive|guardrail|refusal|moderation/i,
    toFinding: (reason) => ({
      cause: 'reply-filtered',
      severity: 'warning',
      what: t('The reply is empty: a content filter of the service withheld it (`{0}`).', reason),
      next: t('Word the request in another way, or change the filter in the settings of the service.'),
    }),
  },
];

/** Without an answer after it. Some services count the reasoning and do not show it. */
function onlyReasoning({ turn: { raw, rescue } }: DiagnosisInput): Finding | undefined {
  const reasoning = raw.reasoning ?? rescue?.reasoning ?? '';
  const { completionTokens = 0, reasoningTokens = 0 } = raw.usage;
  const isHidden = reasoningTokens > 0 && completionTokens - reasoningTokens <= 1;
  if (reasoning.trim() === '' && !isHidden) return undefined;
  return {
    cause: 'only-reasoning',
    severity: 'warning',
    what:
      reasoning.trim() === ''
        ? t(
            'The reply has only reasoning, {0} tokens that the service does not show, and no answer.',
            reasoningTokens,
          )
        : t('The reply has only reasoning, and no answer after it.'),
    ...(reasoning.trim() !== '' && { evidence: [quote(t('reasoning'), reasoning)] }),
    next: t(
      'Ask again, or ask without reasoning. If the answer stands in the reasoning, the reasoning parser of the server does not fit the model.',
    ),
  };
}

/** Ollama drops a call that it cannot parse; only the token count shows that there was one. */
function lostReply({ turn, setting }: DiagnosisInput, wire: ChatWire | undefined): Finding {
  const { completionTokens = 0 } = turn.raw.usage;
  const isLocal = wire?.protocol.client === 'ollama';
  const place = wire?.protocol.replyPlaces.completionTokens ?? '/usage/completion_tokens';
  return {
    cause: 'nothing-arrived',
    severity: 'error',
    what: countOf(
      completionTokens,
      t(
        'The model wrote {0} token, but the reply is empty: no text, no reasoning and no call. The server may have dropped a tool call that it could not read.',
      ),
      t(
        'The model wrote {0} tokens, but the reply is empty: no text, no reasoning and no call. The server may have dropped a tool call that it could not read.',
      ),
    ),
    evidence: [quote(inAnswer(place), completionTokens)],
    next: t(
      'Look at the raw prompt that the template produces, use the `/v1` side of the server with a hosted connection, or choose another template.',
    ),
    ...(isLocal && setting.otherSide && { remedies: [{ kind: 'connection', ...setting.otherSide }] }),
  };
}

/** The model ended its turn at once. */
function nothingGenerated({ turn }: DiagnosisInput, wire: ChatWire | undefined): Finding {
  const { promptTokens = 0 } = turn.raw.usage;
  const isLong = wire !== undefined && promptTokens >= MIN_LONG_PROMPT;
  return {
    cause: 'empty-reply',
    severity: 'warning',
    what: t('The reply is empty: the model ended it at once, and nothing was generated.'),
    ...(isLong && { evidence: [quote(promptPlace(wire), promptTokens)] }),
    next: isLong
      ? t(
          'Compare the {0} tokens of the prompt with the context that the model was loaded with: some servers answer a prompt that does not fit with nothing. If it fits, ask again.',
          promptTokens,
        )
      : t(
          'Ask again. If it stays empty, look at the prompt that the chat template produces: it may have ended the turn of the model already.',
        ),
  };
}

const otherEnd = (reason: string): Finding => ({
  cause: 'empty-reply',
  severity: 'warning',
  what: t('The reply is empty: the server ended it with `{0}`, before any text.', reason),
  next: t('Ask again. The log of the server may say more.'),
});
