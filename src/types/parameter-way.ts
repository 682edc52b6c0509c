// What became of a sampling parameter on its way into a request.

/** Values are JSON; a front end is shown at most 200 characters of each. */
export interface ParameterWay {
  /** Of `SamplingParams`. */
  key: string;
  /** Absent when nobody set it. */
  value?: string | undefined;
  setIn?: 'lane' | 'connection' | undefined;
  /**
   * `sent`: as it was set. `overridden`: `raw` put another value there. `removed`: `raw` took it out. `dropped`: this back end
   * has no word for it. `raw`: nobody set it but `raw`. `not-set`: the server's own default applies.
   */
  way: 'sent' | 'overridden' | 'removed' | 'dropped' | 'raw' | 'not-set';
  /** The key in the request. */
  sentAs?: string | undefined;
  /** What went. */
  sentValue?: string | undefined;
}
