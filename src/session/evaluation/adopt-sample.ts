// Makes the conversation of a sample that of a lane, as runs of its own. Sends nothing.
import type { Lane } from '../conversation/lane';
import type { Item } from '../conversation/transcript';
import { readBeside } from '../journal/run-lines';
import type { Journal } from '../ports';

/** @param runs The journal with the runs of the sample. */
export async function adoptSample(lane: Lane, items: readonly Item[], runs: Journal): Promise<void> {
  const agentRunId = crypto.randomUUID();
  for (const item of items) {
    if (item.kind === 'message') {
      lane.addMessage(item.message);
      continue;
    }
    const { step, record, results, ending } = item;
    if (!record) continue;
    const runId = step ? `${agentRunId}/${step.number}` : crypto.randomUUID();
    const { setup, wire } = await readBeside(runs, record);
    const { connectionId, model } = record;
    lane.beginRun(runId, { connectionId, model, ...(step && { step: { agentRunId, number: step.number } }) });
    if (setup) lane.setSetup(runId, setup);
    lane.setRecord(runId, { ...record, runId }, wire && { record: () => wire });
    for (const [index, result] of results) lane.setResult(runId, index, result);
    if (ending) lane.setEnding(runId, ending);
  }
}
