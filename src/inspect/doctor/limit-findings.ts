// Findings about a reply that was cut off by a token limit. Pure.
import { t } from '@vscode/l10n';
import type { ChatTurn, Finding, FindingEvidence } from '../../types';
import type { ChatWire, DiagnosisInput, RunSetting } from './diagnosis-input';
import { inAnswer, inRequest, quote, quoteFinish } from './diagnosis-input';
import { promptPlace } from './prompt-findings';
import { limitAdvice, raiseContext, raiseLimit } from './remedies';
import { isRecord } from '../../library';
import { contextAdvice } from './server-advice';

/** @param wire Undefined for other providers, whose requests have an unknown format. */
export function limitFindings({ turn, setting }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  if (turn.raw.finishReason !== 'length') return [];
  if (!wire)
    return [toTokenLimit(turn, setting, { evidence: [quote(t('answer, finish reason'), 'length')] })];
  const finish = quoteFinish(wire, 'length');
  const limit = sentLimit(turn, wire);
  if (!limit) return [toContextLimit(turn, setting, { finish, wire })];
  const evidence = [finish, quote(inRequest(limit.place), limit.value)];
  return [toTokenLimit(turn, setting, { evidence, limit: limit.value })];
}

/** A stream that ended as a whole one does, but without saying why. An unstreamed reply cannot break off unseen. */
export function unknownEndFindings({ turn }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { raw, exchange } = turn;
  if (raw.finishReason !== undefined || wire?.protocol.client !== 'openai') return [];
  if (!/^\s*(?:data|event|id|retry)?:/.test(exchange.response?.body ?? '')) return [];
  return [
    {
      cause: 'no-finish-reason',
      severity: 'info',
      what: t(
        'The stream ended without a finish reason: the server did not say why the reply ended, so whether it is complete is not known.',
      ),
      evidence: [quote(inAnswer(wire.protocol.replyPlaces.finishReason), t('(none)'))],
      next: t(
        'Check whether the reply breaks off. If a relay stands before the server, ask the server itself.',
      ),
      tab: 'wire',
    },
  ];
}

/**
 * On the Responses side of llama-server and of Ollama every reply is complete, also one that the limit has cut. A reply that happens
 * to end at its limit looks the same, so this is no more than a suspicion.
 */
export function untoldCutFindings({ turn, setting }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { finishReason, usage } = turn.raw;
  if (wire?.protocol.client !== 'openai-responses') return [];
  if (finishReason !== 'stop' && finishReason !== 'tool_calls') return [];
  const limit = sentLimit(turn, wire);
  if (limit === undefined || (usage.completionTokens ?? 0) < limit.value) return [];
  return [
    {
      cause: 'untold-cut',
      severity: 'warning',
      what: t(
        'The reply has {0} tokens, all that the request allows, and the server says that it is complete: llama-server and Ollama say so on this protocol also of a reply that the limit has cut.',
        limit.value,
      ),
      evidence: [
        quote(inAnswer('/status'), 'completed'),
        quote(inAnswer(wire.protocol.replyPlaces.completionTokens), usage.completionTokens),
        quote(inRequest(limit.place), limit.value),
      ],
      next: t('Read whether the reply breaks off, and raise Max tokens if it does.'),
      tab: 'reply',
      remedies: raiseLimit(setting, limit.value),
    },
  ];
}

function toContextLimit(
  { raw }: ChatTurn,
  setting: RunSetting,
  { finish, wire }: { finish: FindingEvidence; wire: ChatWire },
): Finding {
  const { promptTokens, completionTokens } = raw.usage;
  const total = (promptTokens ?? 0) + (completionTokens ?? 0);
  return {
    cause: 'context-limit',
    severity: 'warning',
    what:
      total > 0
        ? t(
            'The reply was cut after {0} tokens of prompt and reply, and the request sets no limit: the context of the server is full, or it has a limit of its own. It is not complete.',
            total,
          )
        : t(
            'The reply was cut, and the request sets no limit: the context of the server is full, or it has a limit of its own. It is not complete.',
          ),
    evidence: [
      finish,
      ...(promptTokens === undefined ? [] : [quote(promptPlace(wire), promptTokens)]),
      ...usageEvidence(raw.usage),
    ],
    next: contextAdvice(setting, wire.server),
    tab: 'reply',
    remedies: total > 0 ? raiseContext(setting, total) : [],
  };
}

function toTokenLimit(
  { raw, toolCalls }: ChatTurn,
  setting: RunSetting,
  { evidence, limit }: { evidence: FindingEvidence[]; limit?: number },
): Finding {
  const { content, reasoning = '', usage } = raw;
  const isAllReasoning = content === '' && toolCalls.length === 0 && reasoning !== '';
  return {
    cause: 'token-limit',
    severity: 'warning',
    what: isAllReasoning
      ? t(
          'The reply stopped at the token limit while the model was still reasoning, before its answer began.',
        )
      : t('The reply stopped at the token limit; it is not complete.'),
    evidence: [...evidence, ...usageEvidence(usage)],
    next: limitAdvice(setting),
    tab: 'reply',
    remedies: limit === undefined ? [] : raiseLimit(setting, limit),
  };
}

function usageEvidence({ completionTokens, reasoningTokens }: ChatTurn['raw']['usage']): FindingEvidence[] {
  if (completionTokens === undefined) return [];
  const counts =
    reasoningTokens === undefined
      ? String(completionTokens)
      : t('{0}, {1} of them reasoning', completionTokens, reasoningTokens);
  return [quote(t('answer, tokens of the reply'), counts)];
}

/** The token limit in the request; undefined when it has none. */
export function sentLimit(
  { exchange }: Pick<ChatTurn, 'exchange'>,
  { body, protocol }: ChatWire,
): { place: string; value: number } | undefined {
  const options = isRecord(body['options']) ? body['options'] : {};
  const keys = [
    protocol.samplingKeys.maxTokens ?? '',
    'max_completion_tokens',
    exchange.sent['maxTokens'] ?? '',
  ];
  const places = keys.flatMap((key): [string, unknown][] => [
    [`/${key}`, body[key]],
    [`/options/${key}`, options[key]],
  ]);
  const found = places.find(([, value]) => typeof value === 'number' && value > 0);
  return found && { place: found[0], value: Number(found[1]) };
}
