/** An item knows its place, so that it can be taken out of the middle. -1 while it is in no heap. */
export interface HeapItem {
  place: number
}

export interface Heap<T> {
  /** The item that comes before all others. */
  first(): T | undefined
  add(item: T): void
  /** No effect where the item is not in this heap. */
  remove(item: T): void
  /** In no order. */
  items(): Iterable<T>
}

/** A binary heap: `first` costs nothing, `add` and `remove` the logarithm of its size. */
export function createHeap<T extends HeapItem>(before: (a: T, b: T) => boolean): Heap<T> {
  const tree: T[] = []

  function put(item: T, place: number): void {
    tree[place] = item
    item.place = place
  }

  function rise(item: T): void {
    let place = item.place
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = tree[above]
      if (parent === undefined || !before(item, parent)) break
      put(parent, place)
      place = above
    }
    put(item, place)
  }

  function sink(item: T): void {
    let place = item.place
    for (;;) {
      const left = tree[2 * place + 1]
      const right = tree[2 * place + 2]
      const child = left !== undefined && right !== undefined && before(right, left) ? right : left
      if (child === undefined || !before(child, item)) break
      const below = child.place
      put(child, place)
      place = below
    }
    put(item, place)
  }

  return {
    first: () => tree[0],
    add(item) {
      item.place = tree.length
      tree.push(item)
      rise(item)
    },
    remove(item) {
      if (tree[item.place] !== item) return
      const last = tree.pop()
      if (last !== undefined && last !== item) {
        put(last, item.place)
        rise(last)
        sink(last)
      }
      item.place = -1
    },
    items: () => tree,
  }
}
