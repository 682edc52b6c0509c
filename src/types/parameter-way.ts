// What happened to a sampling parameter on its way into a request.

/** The way of one parameter. Values are JSON; a front end gets at most 200 characters of each. */
export interface ParameterWay {
  /** Key of `SamplingParams`. */
  key: string;
  /** The value that was set; absent when nobody set the parameter. */
  value?: string | undefined;
  setIn?: 'lane' | 'connection' | undefined;
  /**
   * `sent`: as it was set. `overridden`: `raw` replaced the value. `removed`: `raw` removed it. `dropped`: the back end does
   * not support it. `refused`: not sent, because the model does not take it. `raw`: only `raw` set it. `chosen`: nobody set it, and the protocol requires it. `not-set`: the server's own default applies.
   */
  way: 'sent' | 'overridden' | 'removed' | 'dropped' | 'refused' | 'raw' | 'chosen' | 'not-set';
  /** The key in the request. */
  sentAs?: string | undefined;
  /** The value in the request. */
  sentValue?: string | undefined;
  /** The value that the reply says it was made with; absent when it does not say. */
  reported?: string | undefined;
}
