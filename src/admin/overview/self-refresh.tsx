'use client'

import { useRouter } from 'next/navigation.js'
import { useEffect } from 'react'

const everyMs = 15_000

/** Has the server render the page anew while somebody sees it; what is typed and focused stays. */
export function SelfRefresh() {
  const router = useRouter()

  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const followVisibility = () => {
      clearInterval(timer)
      if (document.hidden) return
      timer = setInterval(() => router.refresh(), everyMs)
    }
    const cameBack = () => {
      if (!document.hidden) router.refresh()
      followVisibility()
    }
    followVisibility()
    document.addEventListener('visibilitychange', cameBack)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', cameBack)
    }
  }, [router])

  return null
}
