export interface CuttingFetch {
  fetch: typeof fetch
  /** The next file breaks off in its middle, as if the connection were gone. */
  cutNext(): void
  /** Status and first byte of each file that was answered. */
  files: { status: number; from: number }[]
}

/** The real `fetch`, but for files that are to break off. */
export function cuttingFetch(): CuttingFetch {
  let cutting = false
  const files: { status: number; from: number }[] = []
  return {
    files,
    cutNext() {
      cutting = true
    },
    async fetch(...request) {
      const response = await fetch(...request)
      if (response.headers.get('content-disposition') === null) return response
      const from = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? '0'
      files.push({ status: response.status, from: Number(from) })
      if (!cutting) return response
      cutting = false
      const whole = await response.bytes()
      const { status, headers } = response
      return new Response(brokenAfter(whole.subarray(0, whole.length / 2)), { status, headers })
    },
  }
}

function brokenAfter(bytes: Uint8Array): ReadableStream {
  let isGiven = false
  return new ReadableStream(
    {
      pull(controller) {
        if (isGiven) return controller.error(new TypeError('terminated'))
        isGiven = true
        controller.enqueue(bytes)
      },
    },
    { highWaterMark: 0 },
  )
}
