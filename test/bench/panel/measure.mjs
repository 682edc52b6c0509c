// Opens a measurement of the panel or its session by name.
import { measureEvaluationRows } from './evaluation-rows.mjs';
import { measureFirstPaint } from './first-paint.mjs';
import { measureHistory } from './history-view.mjs';
import { measureLongTranscript } from './long-transcript.mjs';
import { measureLongReply, measureManyCalls } from './replies.mjs';
import { measureStoredRuns } from './stored-runs.mjs';
import { measureStreams } from './streams.mjs';

const MEASUREMENTS = {
  'evaluation-rows': measureEvaluationRows,
  'first-paint': measureFirstPaint,
  history: measureHistory,
  'long-reply': measureLongReply,
  'long-transcript': measureLongTranscript,
  'many-calls': measureManyCalls,
  'stored-runs': measureStoredRuns,
  streams: measureStreams,
};

export const openMeasurement = (job) => MEASUREMENTS[job.measurement](job);
