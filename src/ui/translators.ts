/** What a translator, or another writer of the page, has put in the place of a text node of React. */
const standIns = new WeakMap<Node, ChildNode>();

/**
 * Keeps the page alive under translators of browsers, which replace text nodes by elements: React would write
 * into nodes that nobody sees any more, and fail where it removes them. What it writes takes the place of the translation;
 * what it removes takes the translation along. Ticks change only
 * the data of a text, so they cost nothing here. Returns the function that ends it.
 */
export function followTranslators(root: Node): () => void {
  const { removeChild, insertBefore } = Node.prototype;
  const observer = new MutationObserver(follow);
  function follow(records: readonly MutationRecord[]): void {
    for (const { type, target, removedNodes, addedNodes, previousSibling } of records) {
      if (type === 'characterData') {
        restore(target as Text);
        continue;
      }
      for (const node of removedNodes) {
        if (!(node instanceof Text) || node.parentNode) continue;
        // Added in the same step, or just before.
        const standIn = addedNodes[0] ?? previousSibling;
        if (!(standIn instanceof HTMLElement)) continue;
        standIns.set(node, standIn);
        observer.observe(node, { characterData: true });
      }
    }
  }
  const current = (node: Node): Node => {
    follow(observer.takeRecords());
    return standIns.get(node) ?? node;
  };

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const standIn = current(child);
    // What is gone is removed.
    if (standIn.parentNode === this) removeChild.call(this, standIn);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    child: Node | null,
  ): T {
    if (!child || child.parentNode === this) return insertBefore.call(this, node, child) as T;
    const standIn = current(child);
    return insertBefore.call(this, node, standIn.parentNode === this ? standIn : null) as T;
  };
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    Object.assign(Node.prototype, { removeChild, insertBefore });
  };
}

/** A text that was written anew takes its place again. */
function restore(text: Text): void {
  standIns.get(text)?.replaceWith(text);
  standIns.delete(text);
}
