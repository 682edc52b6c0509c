// A setup with what a test needs to be different, and the run that has it.
import type { ConnectionView, DocumentTool } from '../../../src/protocol';
import type { Asked, OpenRun, Setup } from '../../../src/session/run/setup';
import { openRun } from '../../../src/session/run/setup';
import type { SessionSetup } from './scripted-session';
import { CONNECTION, scriptedServices } from './scripted-session';

/** Everything that a run may be asked, in short. */
export interface AskedFields extends Partial<Omit<Asked, 'lane' | 'tools'>> {
  lane?: Partial<Asked['lane']>;
  tools?: (Pick<DocumentTool, 'name'> & Partial<DocumentTool>)[];
}

export const toAsked = ({ lane, tools = [], ...rest }: AskedFields = {}): Asked => ({
  lane: { connection: 'demo', sampling: {}, rescueToolCalls: true, limits: {}, ...lane },
  system: '',
  tools: tools.map((tool) => ({ parameters: { type: 'object' }, offered: true, mocks: [], ...tool })),
  idleTools: [],
  messages: [],
  ...rest,
});

/** @param view What is different from the demo connection; undefined: it cannot be opened. */
export async function openMade(
  asked: AskedFields = {},
  view: Partial<ConnectionView> | undefined = {},
  setup: SessionSetup = {},
): Promise<OpenRun> {
  const { services } = scriptedServices(setup);
  const { connections, log } = services;
  const open: typeof connections.open = async (request) => {
    if (!view) throw new Error('gone');
    const opened = await connections.open(request);
    return { ...opened, view: { ...CONNECTION, ...view } };
  };
  const opening = { connections: { ...connections, open }, log };
  return openRun(opening, toAsked(asked), new AbortController().signal);
}

export const makeSetup = async (asked?: AskedFields, view?: Partial<ConnectionView>): Promise<Setup> =>
  (await openMade(asked, view)).setup;
