// Tells scratches with the same title apart: by the time of their last change, and the models of their lanes.
import { toLabel } from '../../../inspect';

const MAX_MODELS = 2;
const MODEL_LENGTH = 40;

/** A lane without a model uses that of its connection, which is not looked up here. */
export function describeScratch(
  { modifiedAt, lanes }: { modifiedAt: number; lanes: readonly { model?: string | undefined }[] },
  now: number,
): string {
  const models = [...new Set(lanes.flatMap(({ model }) => model || []))];
  const named = models.slice(0, MAX_MODELS).map((model) => toLabel(model, MODEL_LENGTH));
  const all = models.length > MAX_MODELS ? [...named, '…'] : named;
  return [describeTime(modifiedAt, now), all.join(', ')].filter(Boolean).join(' · ');
}

/** Short, because a narrow list cuts off its end, which would be the time: the day only if it is not today. */
function describeTime(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  if (date.toDateString() === today.toDateString()) return date.toLocaleTimeString(undefined, time);
  const isThisYear = date.getFullYear() === today.getFullYear();
  const day = { month: 'short', day: 'numeric', ...time } as const;
  return date.toLocaleString(undefined, isThisYear ? day : { ...day, year: 'numeric' });
}
