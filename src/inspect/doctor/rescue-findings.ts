// Findings about the text of a reply: calls written as text, text that only looks like a call, leftover markup. Pure.
import { t } from '@vscode/l10n';
import type { ChatTurn, Finding, FindingCause, Remedy, RescueRejection } from '../../types';
import { countOf } from '../count-words';
import { isOverHttp } from '../find-protocol';
import type { ChatWire, DiagnosisInput } from './diagnosis-input';
import { code, inRequest, quote, quotePart } from './diagnosis-input';
import { lowerTemperature, provideTool, raiseLimit, requireCall } from './remedies';

/** Maximum number of rejected texts with findings of their own; a reply may have any number. */
const MAX_REJECTED = 1_000;
const MAX_QUOTED = 3;

export const rescueFindings = (input: DiagnosisInput, wire: ChatWire | undefined): Finding[] => [
  ...callsInTextFindings(input, wire),
  ...rejectionFindings(input, wire),
  ...callsInReasoningFindings(input, wire),
  ...markupFindings(input, wire),
];

/** A request that VS Code passed on to another extension. One that was not recorded has no address. */
const isOfEditor = ({ exchange: { request } }: ChatTurn): boolean =>
  request.url !== '' && !isOverHttp(request);

function callsInTextFindings(
  { turn, nativeHint, setting }: DiagnosisInput,
  wire: ChatWire | undefined,
): Finding[] {
  const { rescue, toolCalls } = turn;
  const [first] = rescue?.calls ?? [];
  if (!rescue || !first) return [];
  const evidence = rescue.calls
    .slice(0, MAX_QUOTED)
    .map(({ start, end }) => quotePart(t('reply'), turn.raw.content, start, end));
  if (toolCalls.length === 0) return [unusedCallFinding(turn, setting, { format: first.format, evidence })];
  const repairs = rescue.calls.flatMap((call) => call.repairs.map(({ kind }) => kind));
  const came: Finding = {
    cause: 'call-as-text',
    severity: 'warning',
    what:
      rescue.calls.length === 1
        ? t('The call came as text. There was no native call.')
        : t('The calls came as text. There was no native call.'),
    evidence,
    // A server's parser only reads undamaged calls, and behind VS Code the person starts no server.
    next: repairs.length === 0 && !isOfEditor(turn) ? nativeHint(first.format, wire?.server) : undefined,
    tab: 'tool-calls',
  };
  if (repairs.length === 0) return [came];
  const damaged: Finding = {
    cause: 'damaged-call',
    severity: 'warning',
    what:
      repairs.length === 1
        ? t('The call was damaged and needed 1 repair: {0}.', code(repairs))
        : t('The call was damaged and needed {0} repairs: {1}.', repairs.length, code([...new Set(repairs)])),
    evidence: rescue.calls
      .flatMap((call) => call.repairs)
      .slice(0, MAX_QUOTED)
      .map(({ kind, at }) => {
        const part = quotePart(t('reply'), turn.raw.content, at, at + 1);
        return { ...part, place: `${part.place}, \`${kind}\`` };
      }),
    next: t('A lower temperature or another model may write it completely.'),
    tab: 'tool-calls',
    remedies: lowerTemperature(setting),
  };
  return [came, damaged];
}

/** The text contains calls that were not to be used. */
function unusedCallFinding(
  turn: ChatTurn,
  setting: DiagnosisInput['setting'],
  { format, evidence }: { format: string; evidence: NonNullable<Finding['evidence']> },
): Finding {
  const { choice, key } = turn.exchange.toolChoice ?? {};
  const isForbidden = choice === 'none';
  const why = isForbidden ? t('the tool choice is `none`') : t('rescue is off');
  const what = t(
    'The text contains {0} (`{1}`), and {2}, so it stays the final answer.',
    countOf(turn.rescue?.calls.length ?? 0, t('{0} tool call'), t('{0} tool calls')),
    format,
    why,
  );
  const found = { severity: 'warning', what, tab: 'rescue' } as const;
  if (isForbidden) {
    return {
      ...found,
      cause: 'choice-none',
      evidence: [...evidence, quote(inRequest(`/${key}`), choice)],
      next: t('Set Tool choice to another value to rescue it.'),
      remedies: allowCalls(setting, key),
    };
  }
  return {
    ...found,
    cause: 'rescue-off',
    evidence,
    next: setting.isRescueOff
      ? t('The settings of the connection turn rescue off: remove `rescueToolCalls` there.')
      : t('Switch Rescue tool calls on to rescue it.'),
    ...(!setting.isRescueOff && { remedies: [{ kind: 'rescue-on' }] }),
  };
}

/** @param key Key of the tool choice in the request. */
function allowCalls({ raw, toolChoice }: DiagnosisInput['setting'], key = ''): Remedy[] {
  if (Object.hasOwn(raw, key)) return [{ kind: 'raw', path: [key] }];
  return toolChoice === 'none' ? [{ kind: 'tool-choice', choice: 'auto' }] : [];
}

const CAUSES: Readonly<Record<string, FindingCause>> = {
  'unknown-tool': 'unknown-tool',
  'in-reasoning': 'call-in-reasoning',
  example: 'call-in-code',
  quoted: 'call-in-code',
};

function rejectionFindings(input: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { turn } = input;
  return (turn.rescue?.rejected ?? []).slice(0, MAX_REJECTED).map((rejected): Finding => {
    const remedies = remedyRejected(input, rejected, wire);
    return {
      cause: CAUSES[rejected.reason] ?? 'left-as-text',
      severity: 'warning',
      what: rejected.detail,
      evidence: [quotePart(t('reply'), turn.raw.content, rejected.start, rejected.end)],
      next: rejected.hint,
      tab: 'rescue',
      ...(remedies.length > 0 && { remedies }),
    };
  });
}

function remedyRejected(
  { turn, setting, idleTools }: DiagnosisInput,
  { reason, name, nearest = [] }: RescueRejection,
  wire: ChatWire | undefined,
): Remedy[] {
  const isCut = turn.raw.finishReason === 'length';
  switch (reason) {
    case 'unknown-tool':
      return name === undefined ? [] : provideTool(name, idleTools, nearest[0]);
    case 'truncated':
      return isCut ? raiseLimit(setting, turn.raw.usage.completionTokens ?? 0) : lowerTemperature(setting);
    case 'in-reasoning':
    case 'example':
    case 'quoted':
      return requireCall(setting, wire);
    case 'malformed':
    case 'invalid-arguments':
    case 'no-arguments':
      return lowerTemperature(setting);
    default:
      return [];
  }
}

/** Separate reasoning is never read as a call, but it may contain one that the model then did not make. */
function callsInReasoningFindings(
  { turn, tools, readText, setting }: DiagnosisInput,
  wire: ChatWire | undefined,
): Finding[] {
  const { reasoning = '' } = turn.raw;
  if (reasoning === '' || turn.toolCalls.length > 0 || tools.length === 0) return [];
  const { calls } = readText(reasoning);
  const [first] = calls;
  if (!first) return [];
  const mayReason = wire?.protocol.client === 'ollama' && !Object.hasOwn(setting.raw, 'think');
  const quiet: Remedy[] = mayReason ? [{ kind: 'raw', path: ['think'], value: false }] : [];
  return [
    {
      cause: 'call-in-reasoning',
      severity: 'warning',
      what: t(
        'The reasoning contains {0} of {1}, and the reply makes none: a call in the reasoning is not run.',
        countOf(calls.length, t('{0} call'), t('{0} calls')),
        code([...new Set(calls.map(({ name }) => name))]),
      ),
      evidence: [quotePart(t('reasoning'), reasoning, first.start, first.end)],
      next: t('Ask without reasoning, or say in the system prompt that a call belongs after the reasoning.'),
      tab: 'reply',
      remedies: [...quiet, ...requireCall(setting, wire)],
    },
  ];
}

const templateAdvice = (wire: ChatWire | undefined): string =>
  wire?.server === 'llama-server'
    ? t(
        'Use the chat template that the model was made with: llama-server takes one by `--chat-template-file`.',
      )
    : t('Use the chat template that the model was made with.');

function reasoningAdvice(wire: ChatWire | undefined): string {
  switch (wire?.server) {
    case 'ollama':
      return t('Update Ollama and the model, which then separate it, or ask without reasoning.');
    case 'llama-server':
      return t('Let llama-server separate it (`--reasoning-format auto`), or ask without reasoning.');
    default:
      return t(
        'Let the server separate it, which most do by an option or in a newer version, or ask without reasoning.',
      );
  }
}

/** Markup tokens left in the answer; a chat template that fits the model would remove them. */
function markupFindings({ turn, findMarkup }: DiagnosisInput, wire: ChatWire | undefined): Finding[] {
  const { content } = turn.assistant;
  // The spans refer to the raw text. If calls were removed from it, they do not match this content.
  const spans =
    content === turn.raw.content && turn.rescue ? [...turn.rescue.calls, ...turn.rescue.rejected] : [];
  const found = findMarkup(content).filter(
    ({ start, end }) => !spans.some((span) => span.start < end && start < span.end),
  );
  const inReasoning = found.filter(({ isReasoning }) => isReasoning);
  const others = found.filter(({ isReasoning }) => !isReasoning);
  const toEvidence = (marks: typeof found): NonNullable<Finding['evidence']> =>
    marks.slice(0, MAX_QUOTED).map(({ start, end }) => quotePart(t('reply'), content, start, end));
  const namesOf = (marks: typeof found): string =>
    code([...new Set(marks.map(({ token }) => token))].slice(0, 5));
  return [
    ...(others.length === 0
      ? []
      : [
          {
            cause: 'leftover-markup' as const,
            severity: 'warning' as const,
            what: t(
              'The answer still contains markup: {0}. People read it, and the model gets it back with the history.',
              namesOf(others),
            ),
            evidence: toEvidence(others),
            next: templateAdvice(wire),
            tab: 'reply' as const,
          },
        ]),
    ...(inReasoning.length === 0
      ? []
      : [
          {
            cause: 'reasoning-in-text' as const,
            severity: 'info' as const,
            what: t(
              'The answer contains reasoning tags: {0}. The server does not separate the reasoning from the answer.',
              namesOf(inReasoning),
            ),
            evidence: toEvidence(inReasoning),
            next: reasoningAdvice(wire),
            tab: 'reply' as const,
          },
        ]),
  ];
}
