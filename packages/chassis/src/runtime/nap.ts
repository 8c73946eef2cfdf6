/** A pause that others can end. Aborting a timer would build an exception each time, with its stack. */
export class Nap {
  readonly #sleepers = new Set<() => void>();
  /** Whether it was woken since it began. */
  isWoken = false;
  #idle_ms = 0;

  /** Begins anew: what it was woken for until now is looked after. */
  begin(): void {
    this.isWoken = false;
  }

  wake = (): void => {
    this.isWoken = true;
    for (const end of this.#sleepers) end();
  };

  /** Sleeps until it is woken, at most this long; not at all, when it was woken since it began. */
  async sleep(most_ms: number): Promise<void> {
    if (this.isWoken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, most_ms);
    this.#sleepers.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#sleepers.delete(resolve);
  }

  /** Sleeps at least `least_ms`, and each time that nothing was found and nobody woke it twice as long as before, up to `most_ms`. */
  async sleepLonger(found: boolean, least_ms: number, most_ms: number): Promise<void> {
    this.#idle_ms = found || this.isWoken ? least_ms : Math.min(Math.max(this.#idle_ms * 2, least_ms), most_ms);
    await this.sleep(this.#idle_ms);
  }
}
