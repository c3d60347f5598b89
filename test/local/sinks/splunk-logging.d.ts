/** As far as the test uses it: the package has no types of its own. */
declare module 'splunk-logging' {
  export interface HecReplyBody {
    readonly text: string;
    readonly code: number;
  }

  export class Logger {
    constructor(config: { token: string; url: string; maxBatchCount: number; maxRetries?: number });
    /** Hears of refusals and of broken requests. */
    error: (error: Error & { code?: number }) => void;
    send(context: {
      message: unknown;
      metadata?: { time?: number; host?: string; source?: string; sourcetype?: string; index?: string };
    }): void;
    flush(callback: (error: Error | null, response: unknown, body: HecReplyBody | undefined) => void): void;
  }
}
