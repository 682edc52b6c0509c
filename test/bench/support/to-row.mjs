// Turns the samples of a scenario into a row of the table. Pure.

/** How our sample is compared with the reference's of the same round. */
const COMPARE = {
  ratio: (ours, reference) => ours / reference,
  difference: (ours, reference) => ours - reference,
  absolute: (ours) => ours,
};

/**
 * @param row `{ title, unit, pick(sample), compare, goal: { max } | { min }, reference? }`: with a `reference` of its own, it is
 *   compared with that client.
 * @returns the medians of each client, the compared values pair by pair (median, minimum, maximum), and whether
 *   the goal is met.
 */
export function toRow({ title, unit, pick, compare, goal, reference }, samples, suite) {
  const values = Object.fromEntries(
    Object.entries(samples).map(([client, list]) => [client, list.map((sample) => pick(sample))]),
  );
  const other = values[reference ?? suite.reference];
  const compared = values[suite.subject].map((value, round) => COMPARE[compare](value, other?.[round]));
  const value = median(compared);
  return {
    title,
    unit,
    compare,
    goal,
    medians: Object.fromEntries(Object.entries(values).map(([client, list]) => [client, median(list)])),
    value,
    least: Math.min(...compared),
    most: Math.max(...compared),
    isReached: value <= (goal.max ?? Infinity) && value >= (goal.min ?? -Infinity),
    values,
  };
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
