// Makes the text of a playground that asks what a stored run asked, to be edited and sent again. Pure.
import { t } from '@vscode/l10n';
import type { ProtocolEntry } from '../../inspect';
import { playgroundText } from '../document/playground-text';
import type { NeutralRequest } from '../../types';
import type { Setup } from '../run/setup';
import type { ReadRun } from '../journal/run-lines';
import { readAsked } from './read-asked';

/** Ends with a line feed. */
export interface CopiedPlayground {
  text: string;
  /** What the request had and the document cannot have; each a phrase for people. */
  leftOut: string[];
}

/**
 * Translates the request to the provider-neutral document; fields without a translation go to `raw`. What no request tells,
 * such as the mocks, is from the setup, and everything when no request is stored that can be read.
 * @param catalog The protocols that are read.
 */
export function playgroundOfRun(run: ReadRun, catalog: readonly ProtocolEntry[]): CopiedPlayground {
  const { record, setup } = run;
  const asked = readAsked(run, catalog) ?? (setup && ofSetup(setup));
  const { messages = [], tools = [], sampling = {}, toolChoice, raw = {} } = asked ?? {};
  const mocked = tools.map((tool) => withMocks(tool, setup));
  const text = playgroundText(
    { messages, tools: mocked, sampling, toolChoice, raw },
    {
      connection: record.connectionId,
      model: record.model,
      rescueToolCalls: setup?.rescueToolCalls,
      limits: setup?.limits,
    },
  );
  return { text, leftOut: leftOutOf(asked) };
}

type Parts = Omit<NeutralRequest, 'model' | 'isStreamed'>;

function ofSetup({ system, messages, tools, connection, sampling, toolChoice, raw = {} }: Setup): Parts {
  return {
    messages: [...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]), ...messages],
    tools: [...tools],
    sampling: { ...connection.sampling, ...sampling },
    toolChoice,
    raw: { ...raw },
  };
}

function withMocks(tool: Parts['tools'][number], setup: Setup | undefined): object {
  const { mocks = [] } = setup?.tools.find(({ name }) => tool.name === name) ?? {};
  return mocks.length > 0 ? { ...tool, mocks } : tool;
}

function leftOutOf(asked: Parts | undefined): string[] {
  if (!asked) return [t('the request, which is not stored or not complete')];
  const { messages } = asked;
  const hasExtra = messages.some(({ toolCalls = [] }) => toolCalls.some(({ extraContent }) => extraContent));
  return [
    ...(messages.some(({ reasoning, replay }) => reasoning !== undefined || replay)
      ? [t('the reasoning in earlier replies')]
      : []),
    ...(hasExtra ? [t('what the service had added to its calls')] : []),
  ];
}
