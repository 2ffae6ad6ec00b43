// A plugin for QEMU that counts the instructions of a program's `counted_pass` (roofline.cpp) and
// of all that it calls, on any processor that QEMU emulates:
//   qemu-aarch64 -plugin libcount_instructions.so -d plugin PROGRAM
// prints `Collected : N`, as callgrind does. The interface is QEMU's, version 1
// (docs/devel/tcg-plugins.rst there), of which Debian packages no header.

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t qemu_plugin_id;
struct qemu_plugin_tb;    ///< a stretch of instructions that run one after the other
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id id,
                                           void (*translated)(qemu_plugin_id,
                                                              struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb* tb,
                                          void (*runs)(unsigned cpu, void* data), int registers,
                                          void* data);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* tb, int operation, void* to,
                                              uint64_t amount);
void qemu_plugin_register_atexit_cb(qemu_plugin_id id, void (*exits)(qemu_plugin_id, void*),
                                    void* data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* tb);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* tb, size_t index);
const char* qemu_plugin_insn_symbol(const struct qemu_plugin_insn* insn);
void qemu_plugin_outs(const char* text);

enum { kNoRegisters = 0, kAdd = 0 };

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t instructions, before, collected;
static int has_entry;

static void enter(unsigned cpu, void* data) {
  (void)cpu;
  (void)data;
  before = instructions;
}

/// The last stretch of the function to run, but its first, is behind the call.
static void come_back(unsigned cpu, void* data) {
  (void)cpu;
  (void)data;
  collected = instructions - before;
}

static void translated(qemu_plugin_id id, struct qemu_plugin_tb* tb) {
  (void)id;
  const char* const name = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0));
  if (name != NULL && strcmp(name, "counted_pass") == 0) {
    qemu_plugin_register_vcpu_tb_exec_cb(tb, has_entry ? come_back : enter, kNoRegisters, NULL);
    has_entry = 1;
  }
  qemu_plugin_register_vcpu_tb_exec_inline(tb, kAdd, &instructions, qemu_plugin_tb_n_insns(tb));
}

static void print(qemu_plugin_id id, void* data) {
  (void)id;
  (void)data;
  char text[64];
  snprintf(text, sizeof text, "Collected : %" PRIu64 "\n", collected);
  qemu_plugin_outs(text);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id id, const void* info,
                                                               int argc, char** argv) {
  (void)info;
  (void)argc;
  (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, print, NULL);
  return 0;
}
