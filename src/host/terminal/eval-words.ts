// Writes what the command line evaluates as its words. Pure; a test reads them with the command line itself.

/** What `provider-playground eval` is told, as its options have it; paths from the folder in which it runs. */
export interface EvalOptions {
  lanes?: readonly string[];
  /** Ids, names, or patterns with `*`. */
  rows?: readonly string[];
  tags?: readonly string[];
  repeat?: number;
  /** Files of connections; later ones win. */
  connections?: readonly string[];
  /** Modules, which are code. */
  providers?: readonly string[];
  shard?: string;
  blob?: string;
  baseline?: string;
  failOn?: 'regression';
  minCase?: number;
  minLane?: number;
  maxNoVerdict?: number;
  maxRequests?: number;
  maxCostUsd?: number;
  maxMinutes?: number;
  bail?: number;
  concurrency?: number;
  /** Such as `junit=junit.xml`. */
  reporters?: readonly string[];
}

/** In the order of the command. A joined list is one value with commas; of others each value is an option. */
const FLAGS: Readonly<Record<keyof EvalOptions, { flag: string; isJoined?: true }>> = {
  lanes: { flag: 'lane', isJoined: true },
  rows: { flag: 'row', isJoined: true },
  tags: { flag: 'tag', isJoined: true },
  repeat: { flag: 'repeat' },
  connections: { flag: 'connections' },
  providers: { flag: 'provider' },
  shard: { flag: 'shard' },
  blob: { flag: 'blob' },
  baseline: { flag: 'baseline' },
  failOn: { flag: 'fail-on' },
  minCase: { flag: 'min-case' },
  minLane: { flag: 'min-lane' },
  maxNoVerdict: { flag: 'max-no-verdict' },
  maxRequests: { flag: 'max-requests' },
  maxCostUsd: { flag: 'max-cost-usd' },
  maxMinutes: { flag: 'max-minutes' },
  bail: { flag: 'bail' },
  concurrency: { flag: 'concurrency' },
  reporters: { flag: 'reporter' },
};

export const EVAL_OPTIONS = Object.keys(FLAGS) as readonly (keyof EvalOptions)[];

/** @param file Playground, from the folder in which the command runs */
export function evalWords(file: string, options: EvalOptions): string[] {
  const words = EVAL_OPTIONS.flatMap((name) => {
    const { flag, isJoined = false } = FLAGS[name];
    const given = options[name];
    const values = (Array.isArray(given) ? given : given === undefined ? [] : [given]).map(String);
    const written = isJoined && values.length > 0 ? [values.join(',')] : values;
    // A value with a dash would be read as an option.
    return written.flatMap((value) =>
      value.startsWith('-') ? [`--${flag}=${value}`] : [`--${flag}`, value],
    );
  });
  const allowed = options.providers && options.providers.length > 0 ? ['--allow-code'] : [];
  return ['eval', file.startsWith('-') ? `./${file}` : file, ...words, ...allowed];
}

/** An id as an option that means it alone. */
export const exactly = (id: string): string => id.replaceAll(/[\\,*]/g, String.raw`\$&`);
