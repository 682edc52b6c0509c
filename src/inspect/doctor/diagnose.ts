// Findings about a finished turn: what is the case, the evidence, how bad it is, and what to do about it. Pure.
import type { Finding } from '../../types';
import type { DiagnosisInput } from './diagnosis-input';
import { RANK, readChatWire } from './diagnosis-input';
import { callFindings } from './call-findings';
import { disobeyedChoiceFindings } from './choice-findings';
import { emptyReplyFindings, isEmptyReply } from './empty-reply-findings';
import { limitFindings, unknownEndFindings, untoldCutFindings } from './limit-findings';
import { noCallFindings } from './no-call-findings';
import { promptFindings } from './prompt-findings';
import {
  attemptFindings,
  replacedFindings,
  samplingFindings,
  unparsedCallFindings,
} from './request-findings';
import { refusalFindings } from './refusal-findings';
import { rescueFindings } from './rescue-findings';

/** The worst finding first; within a severity, in the reading order of the panel. */
export function diagnose(input: DiagnosisInput): Finding[] {
  const wire = readChatWire(input.catalog, input.turn.exchange);
  const prompt = promptFindings(input, wire);
  // A full context explains the cut-off reply, so there is no second finding about it.
  const isFull = prompt.some(({ cause }) => cause === 'context-full');
  const limit = isFull ? [] : [...limitFindings(input, wire), ...untoldCutFindings(input, wire)];
  const rescue = rescueFindings(input, wire);
  const noCall = noCallFindings(input, wire, prompt.length + limit.length > 0);
  const found = [...prompt, ...limit, ...unknownEndFindings(input, wire), ...rescue, ...noCall];
  const findings = [
    ...unparsedCallFindings(input),
    ...found,
    ...(isEmptyReply(input) ? emptyReplyFindings(input, wire, found) : refusalFindings(input)),
    ...disobeyedChoiceFindings(input, wire),
    ...callFindings(input, wire),
    ...replacedFindings(input),
    ...samplingFindings(input),
    ...attemptFindings(input),
  ].map(withoutEmpty);
  return withRemediesOnce(findings.toSorted((one, other) => RANK[one.severity] - RANK[other.severity]));
}

/** If several findings propose the same remedy, only the worst of them keeps it. */
function withRemediesOnce(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.map(({ remedies = [], ...finding }) => {
    const own = remedies.filter((remedy) => {
      const key = JSON.stringify(remedy);
      return !seen.has(key) && seen.add(key);
    });
    return { ...finding, ...(own.length > 0 && { remedies: own }) };
  });
}

function withoutEmpty({ remedies = [], evidence = [], next, ...finding }: Finding): Finding {
  return {
    ...finding,
    ...(evidence.length > 0 && { evidence }),
    ...(next !== undefined && { next }),
    ...(remedies.length > 0 && { remedies }),
  };
}
