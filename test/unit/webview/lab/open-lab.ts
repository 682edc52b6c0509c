// A format lab whose host reads with the real library, and answers at once.
import { onTestFinished, vi } from 'vitest';
import { rescueFormats } from '../../../../src/library';
import type { ClientFrame, GivenDocument, LabMethod, LabParams } from '../../../../src/protocol';
import { LabClient } from '../../../../src/protocol';
import { compareFormats, readLab } from '../../../../src/session';
import { Lab } from '../../../../webview/lab/lab';

export interface OpenedLab {
  lab: Lab;
  /** The parameters of all requests with this method. */
  sent: <M extends LabMethod>(method: M) => LabParams[M][];
  /** The state that the page has stored. */
  kept: () => unknown;
  give: (given: GivenDocument) => void;
  /** Waits until all work has ended. */
  settle: () => Promise<void>;
}

export interface LabAnswers {
  given?: GivenDocument;
  stored?: unknown;
  /** Answers that replace those of the host, by method; an Error refuses the request. */
  answers?: Partial<Record<LabMethod, unknown>>;
}

/** Opens a lab with a fake clock. */
export async function openLab({ given, stored, answers = {} }: LabAnswers = {}): Promise<OpenedLab> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const frames: ClientFrame<LabMethod>[] = [];
  let state = stored;
  const client: LabClient = new LabClient((frame) => {
    frames.push(structuredClone(frame));
    if (frame.kind === 'request')
      void answer(frame.method, frame.params).then((end) =>
        client.receive({ kind: 'reply', id: frame.id, ...end }),
      );
  });
  const now = () => 0;
  const answer = async (method: LabMethod, params: unknown): Promise<object> => {
    const chosen = answers[method];
    if (chosen instanceof Error)
      return {
        ok: false,
        error: { code: 'refused', title: 'Refused', what: chosen.message, why: '', next: 'Try another one.' },
      };
    const own: Partial<Record<LabMethod, () => unknown>> = {
      'lab/open': () => ({ formats: rescueFormats(), ...(given && { given }) }),
      'lab/read': () => readLab(params as LabParams['lab/read'], now).view,
      'lab/compare-formats': () =>
        compareFormats(params as LabParams['lab/compare-formats'], {
          signal: new AbortController().signal,
          now,
          pause: () => Promise.resolve(),
        }),
    };
    return { ok: true, result: chosen ?? (await own[method]?.()) ?? null };
  };
  const lab = new Lab({ client, loadState: () => state, saveState: (next) => (state = next) });
  await lab.start();
  const settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(2_000);
  };
  await settle();
  return {
    lab,
    sent: <M extends LabMethod>(method: M) =>
      frames.flatMap((frame) =>
        frame.kind === 'request' && frame.method === method ? [frame.params as LabParams[M]] : [],
      ),
    kept: () => state,
    give: (data) => client.receive({ kind: 'event', name: 'lab/given', data }),
    settle,
  };
}
