// Findings about why there is no tool call although there could be one: what was offered, the tool choice in the request,
// how the reply ended, and which protocol of the server was used. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FindingEvidence } from '../../types';
import { missedChoiceFindings } from './choice-findings';
import type { ChatWire, DiagnosisInput } from './diagnosis-input';
import {
  answersResults,
  code,
  inAnswer,
  inRequest,
  isOllamaHosted,
  quote,
  quoteFinish,
  quotePart,
} from './diagnosis-input';
import { isEmptyReply } from './empty-reply-findings';
import { requireCall } from './remedies';

const MAX_OFFERS = 3;

/** @param isExplained Whether the prompt or the reply was cut off, which explains a missing call. */
export function noCallFindings(
  input: DiagnosisInput,
  wire: ChatWire | undefined,
  isExplained: boolean,
): Finding[] {
  const { turn, tools } = input;
  if (turn.toolCalls.length > 0 || (turn.rescue?.calls.length ?? 0) > 0) return [];
  // There is a call then, and its finding says why it is not run.
  if (turn.exchange.toolCalls.some(({ isNameless }) => isNameless)) return [];
  const finish = finishReasonFindings(input, wire);
  if (isEmptyReply(input)) return finish;
  if (tools.length === 0) return [...finish, ...nothingOfferedFindings(input)];
  const choice = missedChoiceFindings(input, wire);
  const rejected = turn.rescue?.rejected.length ?? 0;
  const isTold = isExplained || finish.length + choice.length + rejected > 0;
  // An answer to a tool result may well mention the tool.
  const isAnswer = answersResults(turn);
  const prose = isTold || isAnswer ? [] : (unreadMarkupFindings(input) ?? proseFindings(input, wire));
  const side = wire && !isAnswer ? ollamaHostedFindings(input, wire) : [];
  return [...finish, ...choice, ...prose, ...side];
}

/** vLLM ends so when the model had to call a tool and vLLM's parser finds no call in the output. */
function finishReasonFindings({ turn }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { finishReason = '' } = turn.raw;
  if (finishReason !== 'tool_calls' && finishReason !== 'function_call') return [];
  return [
    {
      cause: 'finish-without-call',
      severity: 'error',
      what: t('The server says that the reply ended with tool calls, but it sent none.'),
      evidence: [wire ? quoteFinish(wire, finishReason) : quote(t('answer'), finishReason)],
      next: t(
        "The server's parser did not find the call in the model's text: set the parser that fits the model (`--tool-call-parser` of vLLM).",
      ),
      tab: 'wire',
    },
  ];
}

function nothingOfferedFindings({ turn, idleTools }: DiagnosisInput): Finding[] {
  if (idleTools.length === 0 || answersResults(turn)) return [];
  return [
    {
      cause: 'nothing-offered',
      severity: 'info',
      what:
        idleTools.length === 1
          ? t('No tool was sent: the tool of the playground is not offered.')
          : t('No tool was sent: the {0} tools of the playground are not offered.', idleTools.length),
      evidence: [quote(t('playground'), idleTools.slice(0, 20).join(', '))],
      next: t('Offer the tool that the model should call.'),
      tab: 'wire',
      remedies: idleTools.slice(0, MAX_OFFERS).map((tool) => ({ kind: 'offer-tool', tool })),
    },
  ];
}

/**
 * Markup of calls that no format reads is not prose about a tool. Another finding tells of markup that is still in the answer.
 * Undefined when the reply has none.
 */
function unreadMarkupFindings({ turn, findMarkup }: DiagnosisInput): Finding[] | undefined {
  const ofCalls = (text: string): ReturnType<typeof findMarkup> =>
    findMarkup(text).filter(({ isReasoning }) => !isReasoning);
  const { content } = turn.raw;
  const [first, ...others] = ofCalls(content).filter(
    ({ start }) => !END.test(content.slice(start, start + LONGEST_END)),
  );
  if (!first) return undefined;
  if (ofCalls(turn.assistant.content).length > 0) return [];
  const names = [...new Set([first, ...others].map(({ token }) => token))].slice(0, MAX_TOKENS);
  return [
    {
      cause: 'no-call',
      severity: 'warning',
      what: t(
        'The reply has markup of the chat template, {0}, but no call can be read from it.',
        code(names),
      ),
      evidence: [quotePart(t('reply'), content, first.start, first.end)],
      next: t('Use the chat template that the model was made with.'),
      tab: 'reply',
    },
  ];
}

const MAX_TOKENS = 5;
/** A control token that ends the turn, with at most others like it behind it, says nothing of calls. */
const END = /^(?:\s|<[|｜][^<>|｜]{1,32}[|｜]>){0,200}$/;
const LONGEST_END = 200;

/** There is no visible obstacle to a call: the evidence lists what was examined. */
function proseFindings(input: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { turn, tools, setting } = input;
  const { content, finishReason = t('(none)') } = turn.raw;
  const named = tools.find(({ name }) => content.includes(name));
  if (!named && (!wire || turn.raw.content === '')) return [];
  const at = named ? content.indexOf(named.name) : 0;
  const evidence = [
    ...(named ? [quotePart(t('reply'), content, at, at + named.name.length)] : []),
    quote(
      inRequest('/tools'),
      tools
        .map(({ name }) => name)
        .slice(0, 20)
        .join(', '),
    ),
    ...choiceEvidence(input, wire),
    quote(t('answer, finish reason'), finishReason),
  ];
  return [
    {
      cause: 'no-call',
      severity: 'info',
      what: named
        ? t('The model wrote of `{0}` in prose and made no call.', named.name)
        : describeOffered(tools.map(({ name }) => name)),
      evidence,
      next: t(
        'Say in the system prompt that the model must call tools instead of describing them, or try a model that was trained for tools.',
      ),
      tab: 'reply',
      remedies: turn.exchange.toolChoice?.choice === 'none' ? [] : requireCall(setting, wire),
    },
  ];
}

/** What the request says about calling tools, where its protocol has a field for that. */
function choiceEvidence({ turn, setting }: DiagnosisInput, wire: ChatWire | undefined): FindingEvidence[] {
  const key = turn.exchange.toolChoice?.key ?? setting.toolChoiceKey;
  return wire && key !== null ? [quote(inRequest(`/${key}`), wire.body[key] ?? t('(not set: auto)'))] : [];
}

function describeOffered(names: readonly string[]): string {
  const shown = code(names.slice(0, 3));
  return names.length > 3
    ? t(
        'The model answered in text. It was offered {0} and {1} more, and nothing prevented a call.',
        shown,
        names.length - 3,
      )
    : t('The model answered in text. It was offered {0}, and nothing prevented a call.', shown);
}

/** Ollama's `/v1` endpoint ignores settings that Ollama's own protocol accepts. */
function ollamaHostedFindings({ setting }: DiagnosisInput, wire: ChatWire): Finding[] {
  if (!isOllamaHosted(wire)) return [];
  const { body } = wire;
  return [
    {
      cause: 'ollama-v1',
      severity: 'info',
      what:
        body['temperature'] === undefined
          ? t(
              'This is the `/v1` side of Ollama: it ignores the tool choice and the context size, and uses temperature 1 when none is set.',
            )
          : t('This is the `/v1` side of Ollama: it ignores the tool choice and the context size.'),
      evidence: [quote(inAnswer('/system_fingerprint'), 'fp_ollama')],
      next: t('Use its own protocol, `/api/chat`, with an Ollama connection.'),
      tab: 'wire',
      ...(setting.otherSide && { remedies: [{ kind: 'connection', ...setting.otherSide }] }),
    },
  ];
}
