import { VirtualizerController } from '@tanstack/lit-virtual';
import { html, LitElement, svg } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';

/** An instrument with its latest quote, and who is told of the next. */
class Live {
  close: number;
  change: number;
  changed: (() => void) | undefined;

  constructor(readonly instrument: Instrument) {
    this.close = instrument.close;
    this.change = instrument.change;
  }
}

/** Rows share the styles of the page, so they have no shadow. */
class Row extends LitElement {
  static override properties = { live: { attribute: false }, top: { type: Number } };
  declare live: Live;
  declare top: number;
  #price = createRef<HTMLElement>();
  #last = Number.NaN;
  #path = '';

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#path = market.path(this.live.instrument.id);
    this.live.changed = () => this.requestUpdate();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.live.changed = undefined;
  }

  override updated() {
    const { close } = this.live;
    if (this.#price.value && this.#last !== close && !Number.isNaN(this.#last))
      market.flash(this.#price.value, close > this.#last);
    this.#last = close;
  }

  override render() {
    const { instrument, close, change } = this.live;
    const { name, precision } = instrument;
    const text = market.price(close, precision);
    return html`<div class="row" data-direction=${market.direction(change)} style="transform:translateY(${this.top}px)">
      <span class="favour"><button type="button" class="star"><svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2">${STAR}</svg></button></span>
      <span class="label"><span class="mark" data-letters=${`${name[0]}${name[5]}`}></span><span class="names"><span class="name"><button type="button" class="pick">${name}</button></span></span></span>
      <span class="chart"><svg class="sparkline" width="56" height="28" viewBox="0 0 56 28" data-direction="up"><path class="area" d=${`${this.#path}L56 28L0 28Z`}></path><path class="line" d=${this.#path}></path></svg></span>
      <span class="price" ${ref(this.#price)}><span class="head">${text.slice(0, -2)}</span><span class="tail">${text.slice(-2)}</span></span>
      <span class="change">${market.change(change)}</span>
    </div>`;
  }
}
customElements.define('market-row', Row);
const STAR = svg`<path d="M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.6 9 9z"></path>`;

class List extends LitElement {
  list: Live[] = [];
  #scroller = createRef<HTMLElement>();
  #virtualizer?: VirtualizerController<HTMLElement, Element>;

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    this.#virtualizer = new VirtualizerController(this, {
      count: this.list.length,
      getScrollElement: () => this.#scroller.value ?? null,
      estimateSize: () => market.row,
    });
    super.connectedCallback();
  }

  override render() {
    const virtualizer = this.#virtualizer?.getVirtualizer();
    return html`<div class="top">Market</div>
      <div class="scroller" ${ref(this.#scroller)}>
        <div class="rows" style="block-size:${virtualizer?.getTotalSize()}px">
          ${repeat(
            virtualizer?.getVirtualItems() ?? [],
            ({ index }) => index,
            ({ index, start }) =>
              html`<market-row .live=${this.list[index]} .top=${start}></market-row>`,
          )}
        </div>
      </div>`;
  }
}

customElements.define('market-list', List);

const list = (await market.list()).map((instrument) => new Live(instrument));
const byId = new Map(list.map((live) => [live.instrument.id, live]));
market.follow(
  (ticks) => {
    for (const { id, close, change } of ticks) {
      const live = byId.get(id);
      if (!live) continue;
      Object.assign(live, { close, change });
      live.changed?.();
    }
  },
  (id) => byId.get(id)?.changed !== undefined,
);
const element = document.createElement('market-list') as List;
element.list = list;
element.style.display = 'contents';
document.getElementById('root')?.append(element);
