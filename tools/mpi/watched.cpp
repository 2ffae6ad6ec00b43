#include "tools/mpi/watched.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

volatile std::sig_atomic_t worker = 0;
volatile std::sig_atomic_t is_told_to_end = 0;

/// A rank is ended because of another one: this is not what is to be told of.
void pass_on(int number) {
  is_told_to_end = 1;
  if (worker > 0) kill(static_cast<pid_t>(worker), number);
}

/// The rank's number as MPI's starters tell it; null without one.
const char* rank_of_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(name)) return rank;
  }
  return nullptr;
}

}  // namespace

int watched(const std::function<int()>& work, const char* advice) {
  const char* const rank = rank_of_environment();
  const pid_t watcher = getpid();
  signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody learns how a child ended
  const pid_t child = rank == nullptr ? -1 : fork();
  if (child < 0) return work();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != watcher) return 1;  // it had ended before
    return work();
  }
  worker = child;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction given;
    sigaction(number, nullptr, &given);
    if (given.sa_handler != SIG_IGN) signal(number, pass_on);  // as under nohup
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 1;
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int number = WTERMSIG(status);
  const bool is_asked = number == SIGINT || number == SIGTERM || number == SIGHUP;
  if (!is_asked && is_told_to_end == 0) {
    char host[256] = "a machine";
    gethostname(host, sizeof host - 1);
    print_error(fmt::format("widephase-mpi: rank {} on {} was killed by signal {} ({}{}); {}", rank,
                            printable(host), number, strsignal(number),
                            number == SIGKILL ? ", as for want of memory" : "",
                            advice));
  }
  return 128 + number;
}

}  // namespace widephase::tools
