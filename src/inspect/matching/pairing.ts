// Pairs members of two lists by maximum bipartite matching (augmenting paths). Knows nothing of calls or values.

/** For each member of the one list the index of its partner in the other; undefined without one. */
export type Pairing = (number | undefined)[];

/**
 * The largest number of pairs that can be made. Members that come first in the one list get a partner whenever they can
 * have one beside all earlier ones: a found partner is exchanged for another, never taken away.
 * @param canPair Called at most once for each two members.
 */
export function findPairing(
  oneCount: number,
  otherCount: number,
  canPair: (one: number, other: number) => boolean,
): Pairing {
  const edges = Array.from({ length: oneCount }, (_, one) =>
    Array.from({ length: otherCount }, (_each, other) => other).filter((other) => canPair(one, other)),
  );
  const pairing: Pairing = Array.from({ length: oneCount });
  const partners: Pairing = Array.from({ length: otherCount });
  for (let one = 0; one < oneCount; one++) augment(one, edges, pairing, partners);
  return pairing;
}

/**
 * Gives as many of these members of the other list as possible a partner too. Every member of the one list that has a
 * partner keeps one; members of the other list that need none may lose theirs.
 */
export function pairOthers(
  pairing: Pairing,
  needed: readonly boolean[],
  canPair: (one: number, other: number) => boolean,
): Pairing {
  const partners: Pairing = needed.map((_, other) => {
    const one = pairing.indexOf(other);
    return one === -1 ? undefined : one;
  });
  const edges = needed.map((_, other) => pairing.flatMap((_each, one) => (canPair(one, other) ? [one] : [])));
  const paired = [...pairing];
  for (const [other, isNeeded] of needed.entries())
    if (isNeeded && partners[other] === undefined) augment(other, edges, partners, paired, needed);
  return paired;
}

/**
 * Finds a partner for the member `start` of the list whose edges these are, along a path on which partners are exchanged.
 * Breadth first and without recursion, because a path may be as long as both lists.
 * @param needed Members of the same list that must keep a partner; the path may end by taking that of another one.
 */
function augment(
  start: number,
  edges: readonly (readonly number[])[],
  pairing: Pairing,
  partners: Pairing,
  needed?: readonly boolean[],
): void {
  /** From where the path came to each member of the other list. */
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const member of queue) {
    for (const other of edges[member] ?? []) {
      if (cameFrom.has(other)) continue;
      cameFrom.set(other, member);
      const owner = partners[other];
      if (owner !== undefined && needed?.[owner] !== false) queue.push(owner);
      else return exchange(start, other, { cameFrom, pairing, partners });
    }
  }
}

interface Path {
  cameFrom: ReadonlyMap<number, number>;
  pairing: Pairing;
  partners: Pairing;
}

/** Goes back along the path from its end and gives each member on it the partner with which it was found. */
function exchange(start: number, end: number, { cameFrom, pairing, partners }: Path): void {
  let other: number | undefined = end;
  const owner = partners[end];
  if (owner !== undefined) pairing[owner] = undefined;
  while (other !== undefined) {
    const member = cameFrom.get(other);
    if (member === undefined) return;
    const before: number | undefined = pairing[member];
    pairing[member] = other;
    partners[other] = member;
    if (member === start) return;
    other = before;
  }
}
