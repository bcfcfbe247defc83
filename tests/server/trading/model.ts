/**
 * The rules of domain.md#orders, implemented again as simply as possible, to compare the server
 * with. It shares no code with the server: amounts are BigInt micro-USD, prices and lots BigInt
 * millionths, and every tick checks everything.
 */
const M = 1_000_000n;

export interface ModelInstrument {
  id: number;
  open: boolean;
  /** Millionths; undefined before the first tick. */
  price: bigint | undefined;
  /** Millionths; undefined where the feed has none. */
  book: { bid: bigint; ask: bigint } | undefined;
  units: bigint;
  /** Otherwise leveraged. */
  fixed: boolean;
  leverages: bigint[];
  /** Millionths of USD for a lot, or of the margin. */
  feeRate: bigint;
  /** Millionths of USD for a lot and night, negative is paid; `triple`: the weekday whose 00:00 UTC counts three. */
  swap: { long: bigint; short: bigint; triple: number | undefined };
  minLots: bigint;
  step: bigint;
  /** The smallest change of its price, in millionths. */
  point: bigint;
}

export interface ModelOrder {
  id: number;
  user: number;
  instrument: number;
  buy: boolean;
  lots: bigint;
  leverage: bigint;
  origin: bigint;
  risesToTarget: boolean;
  fill: bigint;
  margin: bigint;
  fee: bigint;
  swap: bigint;
  loss: bigint;
  gain: bigint;
  /** Distance of a stop-loss that follows the price; 0 for none. */
  trail: bigint;
  /** Milliseconds; undefined for none. */
  until: number | undefined;
  status: 0 | 1 | 3;
  closePrice: bigint;
  profit: bigint;
  reason: string;
}

export interface ModelSubmit {
  instrument: number;
  buy: boolean;
  pending: boolean;
  lots: bigint;
  leverage: bigint;
  target: bigint;
  loss: bigint;
  gain: bigint;
  trail: bigint;
  deviation: bigint | undefined;
  /** When it expires, by the market's clock; undefined for never. */
  until: number | undefined;
}

/** The terms of a pending order that can be amended. */
export type ModelTerms = Pick<ModelSubmit, 'lots' | 'target' | 'loss' | 'gain' | 'trail' | 'until'>;

/** a ÷ b, rounded half away from zero. */
function over(a: bigint, b: bigint): bigint {
  const magnitude = (2n * (a < 0n ? -a : a) + b) / (2n * b);
  return a < 0n ? -magnitude : magnitude;
}

/** Micro-USD of a fraction, rounded to cents. */
function cents(numerator: bigint, denominator: bigint): bigint {
  return over(numerator, denominator * 10_000n) * 10_000n;
}

const START = 100_000n * M;
const DAY = 86_400_000;

export class Model {
  readonly orders: ModelOrder[] = [];
  readonly balances = new Map<number, bigint>();
  /** Rare events that have happened. */
  readonly events = new Set<string>();
  /** The market's clock, ms. */
  time = 0;
  private nextId = 1;
  private readonly instruments: Map<number, ModelInstrument>;
  private readonly feePerLot: boolean;
  /** What bid and ask decide: 0 nothing, 1 what is bought and sold at once, 2 everything. */
  private readonly quoteFill: number;

  constructor(instruments: ModelInstrument[], feePerLot: boolean, quoteFill: number) {
    this.instruments = new Map(instruments.map((each) => [each.id, each]));
    this.feePerLot = feePerLot;
    this.quoteFill = quoteFill;
  }

  addUser(user: number): void {
    this.balances.set(user, START);
  }

  /** Sets the clock, and charges each night that positions were held over. */
  passTo(time: number): void {
    for (let day = Math.floor(this.time / DAY) + 1; this.time > 0 && day * DAY <= time; day++) {
      const weekday = new Date(day * DAY).getUTCDay();
      for (const order of this.orders) {
        if (order.status !== 1) continue;
        const { long, short, triple } = this.instrument(order.instrument).swap;
        const nights = weekday === triple ? 3n : 1n;
        const amount = cents(order.lots * (order.buy ? long : short) * nights, M);
        order.swap += amount;
        this.add(order.user, amount);
        this.events.add(nights === 3n ? 'triple night' : 'night');
        if (amount > 0n) this.events.add('swap earned');
      }
    }
    this.time = time;
  }

  /** Returns whether the order was accepted. */
  submit(user: number, s: ModelSubmit): boolean {
    const placed = this.placed(user, s);
    if (!placed) return false;
    const id = this.nextId++;
    const order = { ...placed, id };
    this.orders.push(order);
    this.followFirst(order);
    this.add(user, -placed.margin - (placed.status === 0 ? 0n : placed.fee));
    return true;
  }

  /** Cancels a pending order and places another one, under its id, or does nothing. */
  amend(user: number, id: number, terms: ModelTerms): boolean {
    const order = this.find(user, id);
    if (order?.status !== 0) return false;
    const before = this.orders.splice(this.orders.indexOf(order), 1);
    this.add(user, order.margin);
    const { instrument, buy, leverage } = order;
    const wish = { ...terms, instrument, buy, leverage, pending: true, deviation: undefined };
    const placed = this.placed(user, wish);
    this.add(user, -order.margin);
    this.orders.push(...before);
    this.orders.sort((a, b) => a.id - b.id);
    if (!placed) return false;
    if (placed.margin !== order.margin) this.events.add('margin amended');
    if (placed.status === 1) this.events.add('amended into a fill');
    this.add(user, order.margin - placed.margin - (placed.status === 0 ? 0n : placed.fee));
    Object.assign(order, { ...placed, id });
    this.followFirst(order);
    return true;
  }

  private followFirst(order: ModelOrder): void {
    if (order.status === 1) this.follow(order, this.judged(order));
  }

  /** Ends what has expired by now. */
  expire(): void {
    for (const order of this.orders) {
      if (order.status !== 0 || order.until === undefined || order.until > this.time) continue;
      this.end(order, 'expired');
    }
  }

  /** The order that would be placed; undefined where it is refused. */
  private placed(user: number, s: ModelSubmit): Omit<ModelOrder, 'id'> | undefined {
    const on = this.instrument(s.instrument);
    const price = on.price;
    if (on.leverages.length === 0 || !on.open || price === undefined) return undefined;
    if (s.lots <= 0n || s.lots < on.minLots || s.lots % on.step !== 0n || s.lots > 1000n * M)
      return undefined;
    if (!on.fixed && !on.leverages.includes(s.leverage)) return undefined;
    if (s.deviation !== undefined && s.deviation < 0n) return undefined;
    if (s.pending && (s.target <= 0n || s.target % on.point !== 0n)) return undefined;
    if (!s.pending && s.target > 0n && s.deviation !== undefined) {
      const fill = this.now(on, s.buy);
      const worse = s.buy ? fill - s.target : s.target - fill;
      if (worse > s.deviation) return undefined;
    }
    const opens = this.side(on, s.buy);
    const judged = s.pending ? s.target : this.side(on, !s.buy);
    if (!this.stopsAreRight(on, s.buy, judged, s.loss, s.gain, s.trail)) return undefined;
    if (s.pending && s.until !== undefined && s.until <= this.time) {
      this.events.add('past expiry refused');
      return undefined;
    }
    const at = s.pending ? s.target : this.now(on, s.buy);
    const margin = on.fixed
      ? cents(s.lots * on.units, 1n)
      : cents(s.lots * on.units * at, s.leverage * M);
    if (margin === 0n) {
      this.events.add('margin of 0.00 refused');
      return undefined;
    }
    if (this.of(user, 0).length + this.of(user, 1).length >= 200) return undefined;
    // The unrounded margin times the rate.
    const fee = this.feePerLot
      ? cents(s.lots * on.feeRate, M)
      : on.fixed
        ? cents(s.lots * on.units * on.feeRate, M)
        : cents(s.lots * on.units * at * on.feeRate, s.leverage * M * M);
    if (margin + fee > this.free(user)) return undefined;
    const waits = s.pending && s.target !== opens;
    return {
      user,
      instrument: s.instrument,
      buy: s.buy,
      lots: s.lots,
      leverage: on.fixed ? 0n : s.leverage,
      origin: s.target,
      risesToTarget: s.target > opens,
      fill: waits ? 0n : s.pending ? opens : at,
      margin,
      fee,
      swap: 0n,
      loss: s.loss,
      gain: s.gain,
      trail: s.trail,
      until: s.pending ? s.until : undefined,
      status: waits ? 0 : 1,
      closePrice: 0n,
      profit: 0n,
      reason: '',
    };
  }

  close(user: number, id: number): boolean {
    const order = this.find(user, id);
    if (order?.status !== 1 || !this.instrument(order.instrument).open) return false;
    this.end(order, 'user', this.now(this.instrument(order.instrument), !order.buy));
    return true;
  }

  closePart(user: number, id: number, lots: bigint): boolean {
    const order = this.find(user, id);
    if (lots === 0n || lots === order?.lots) return this.close(user, id);
    if (order?.status !== 1) return false;
    const on = this.instrument(order.instrument);
    if (!on.open) return false;
    const rest = order.lots - lots;
    const valid = (part: bigint) => part >= on.minLots && part % on.step === 0n && part > 0n;
    if (!valid(lots) || !valid(rest)) return false;
    const margin = cents(order.margin * rest, order.lots);
    const fee = cents(order.fee * rest, order.lots);
    if (margin === 0n) return false;
    const part = { ...order, id: this.nextId++, lots };
    part.margin = order.margin - margin;
    part.fee = order.fee - fee;
    const swap = cents(order.swap * rest, order.lots);
    part.swap = order.swap - swap;
    if (part.swap !== 0n) this.events.add('swap divided');
    Object.assign(order, { lots: rest, margin, fee, swap });
    this.orders.push(part);
    this.end(part, 'user', this.now(on, !order.buy));
    return true;
  }

  cancel(user: number, id: number): boolean {
    const order = this.find(user, id);
    if (order?.status !== 0) return false;
    this.end(order, 'cancelled');
    return true;
  }

  setExits(user: number, id: number, loss: bigint, gain: bigint, trail: bigint): boolean {
    const order = this.find(user, id);
    if (!order || order.status === 3) return false;
    const on = this.instrument(order.instrument);
    const reference = order.status === 0 ? order.origin : this.judged(order);
    if (!this.stopsAreRight(on, order.buy, reference, loss, gain, trail)) return false;
    const held = order.status === 1;
    order.loss =
      held && trail > 0n && trail === order.trail ? this.better(order, order.loss, loss) : loss;
    order.gain = gain;
    if (held && trail !== order.trail) {
      order.trail = trail;
      this.follow(order, reference);
    }
    order.trail = trail;
    return true;
  }

  reset(user: number): void {
    for (const order of this.of(user, 0)) this.end(order, 'reset');
    for (const order of this.of(user, 1)) this.end(order, 'reset');
    this.balances.set(user, START);
  }

  tick(instrument: number, price: bigint): void {
    const on = this.instrument(instrument);
    on.price = price;
    const here = () => this.orders.filter((order) => order.instrument === instrument);
    for (const order of here()) {
      if (order.status !== 0) continue;
      const at = this.judged(order);
      if (order.risesToTarget ? at < order.origin : at > order.origin) continue;
      if (order.fee > this.free(order.user)) {
        this.events.add('fill refused');
        this.end(order, 'cancelled');
      } else {
        order.status = 1;
        order.fill = at;
        this.follow(order, this.judged(order));
        this.add(order.user, -order.fee);
      }
    }
    for (const order of here()) {
      if (order.status !== 1) continue;
      const at = this.judged(order);
      this.follow(order, at);
      const lost = order.loss > 0n && (order.buy ? at <= order.loss : at >= order.loss);
      const won = order.gain > 0n && (order.buy ? at >= order.gain : at <= order.gain);
      if (lost) this.end(order, 'stop_loss');
      else if (won) this.end(order, 'take_profit');
    }
    for (const user of this.balances.keys()) this.stopOut(user);
  }

  setOpen(instrument: number, open: boolean): void {
    this.instrument(instrument).open = open;
  }

  /** Floating profit of a position, or realised profit of a closed one. */
  profitOf(order: ModelOrder): bigint {
    if (order.status !== 1) return order.profit;
    return this.profitAt(order, this.judged(order));
  }

  private profitAt(order: ModelOrder, price: bigint): bigint {
    const on = this.instrument(order.instrument);
    const move = price - order.fill;
    // Millionths × millionths × units, in micro-USD.
    return over((order.buy ? move : -move) * order.lots * on.units, M);
  }

  marginOf(user: number): bigint {
    return this.orders
      .filter((order) => order.user === user && order.status !== 3)
      .reduce((sum, order) => sum + order.margin, 0n);
  }

  floating(user: number): bigint {
    return this.of(user, 1).reduce((sum, order) => sum + this.profitOf(order), 0n);
  }

  free(user: number): bigint {
    const floating = this.floating(user);
    const free = this.balance(user) + (floating < 0n ? floating : 0n);
    return free > 0n ? free : 0n;
  }

  private stopOut(user: number): void {
    for (;;) {
      const margin = this.marginOf(user);
      const net = this.balance(user) + margin + this.floating(user);
      if (margin === 0n || net * 100n > margin * 20n) return;
      const closable = this.of(user, 1).filter((order) => this.instrument(order.instrument).open);
      const [worst] = closable.sort((a, b) => {
        const difference = this.profitOf(a) - this.profitOf(b);
        return difference < 0n ? -1 : difference > 0n ? 1 : a.id - b.id;
      });
      if (!worst) return;
      this.end(worst, 'stop_out');
    }
  }

  /** What an order is filled at that buys, or sells, at once. */
  private now(on: ModelInstrument, buy: boolean): bigint {
    if (this.quoteFill === 0 || !on.book) return on.price ?? 0n;
    this.events.add('filled at bid or ask');
    return buy ? on.book.ask : on.book.bid;
  }

  /** What a buy, or a sell, is judged by. */
  private side(on: ModelInstrument, buy: boolean): bigint {
    if (this.quoteFill < 2 || !on.book) return on.price ?? 0n;
    return buy ? on.book.ask : on.book.bid;
  }

  /** What a position would close at, and a pending order open at. */
  judged({ instrument, buy, status }: ModelOrder): bigint {
    return this.side(this.instrument(instrument), status === 0 ? buy : !buy);
  }

  private end(order: ModelOrder, reason: string, at = this.judged(order)): void {
    const held = order.status === 1;
    order.profit = held ? this.profitAt(order, at) : 0n;
    order.closePrice = at;
    order.status = 3;
    order.reason = reason;
    this.add(order.user, order.margin + order.profit);
    if (held && this.of(order.user, 1).length === 0 && this.balance(order.user) < 0n) {
      this.events.add('lifted');
      this.balances.set(order.user, 0n);
    }
  }

  private stopsAreRight(
    { point }: ModelInstrument,
    buy: boolean,
    at: bigint,
    loss: bigint,
    gain: bigint,
    trail: bigint,
  ): boolean {
    if (loss < 0n || gain < 0n) return false;
    if (trail < 0n || trail >= at) {
      this.events.add('distance refused');
      return false;
    }
    if (loss % point !== 0n || gain % point !== 0n || trail % point !== 0n) {
      this.events.add('too fine a stop refused');
      return false;
    }
    if (loss > 0n && (buy ? loss >= at : loss <= at)) return false;
    return !(gain > 0n && (buy ? gain <= at : gain >= at));
  }

  /** Moves the stop-loss to its distance from the price, never back. */
  private follow(order: ModelOrder, price: bigint): void {
    if (order.trail === 0n) return;
    const before = order.loss;
    order.loss = this.better(order, before, price + (order.buy ? -order.trail : order.trail));
    if (before > 0n && order.loss !== before) this.events.add('followed');
  }

  private better({ buy }: ModelOrder, a: bigint, b: bigint): bigint {
    if (a <= 0n || b <= 0n) return a > 0n ? a : b > 0n ? b : 0n;
    return buy === a > b ? a : b;
  }

  private of(user: number, status: number): ModelOrder[] {
    return this.orders.filter((order) => order.user === user && order.status === status);
  }

  private find(user: number, id: number): ModelOrder | undefined {
    return this.orders.find((order) => order.user === user && order.id === id);
  }

  private instrument(id: number): ModelInstrument {
    const instrument = this.instruments.get(id);
    if (!instrument) throw new Error(`no instrument ${id}`);
    return instrument;
  }

  private balance(user: number): bigint {
    return this.balances.get(user) ?? 0n;
  }

  private add(user: number, amount: bigint): void {
    this.balances.set(user, this.balance(user) + amount);
  }
}
