/** A wait that other code can end. Aborting a timer would create an exception with its stack each time. */
export class WakeSignal {
  readonly #waiters = new Set<() => void>();
  /** True if it was woken since it began. */
  isWoken = false;
  #idle_ms = 0;

  /** Starts a new round: earlier wake signals are handled. */
  begin(): void {
    this.isWoken = false;
  }

  wake = (): void => {
    this.isWoken = true;
    for (const end of this.#waiters) end();
  };

  /** Waits until the signal, at most this long. Does not wait if the signal was sent since the last wait began. */
  async sleep(most_ms: number): Promise<void> {
    if (this.isWoken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, most_ms);
    this.#waiters.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiters.delete(resolve);
  }

  /**
   * Sleeps at least `least_ms`. Without work and without a wake signal, each sleep is twice as long as the last, up to
   * `most_ms`.
   */
  async sleepLonger(found: boolean, least_ms: number, most_ms: number): Promise<void> {
    this.#idle_ms = found || this.isWoken ? least_ms : Math.min(Math.max(this.#idle_ms * 2, least_ms), most_ms);
    await this.sleep(this.#idle_ms);
  }
}
