#!/bin/sh
# A robot arm against a shelf, from the command line: a URDF with a mesh, five configurations of its
# joints, and a planning scene as MoveIt writes them.
#
# usage: robot_shelf.sh [WIDEPHASE]     (the command, if it is not in the PATH)
set -e
widephase=${1:-widephase}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The gripper is a mesh: a wedge, in the millimetres that CAD likes. It becomes a convex hull.
mkdir meshes
cat > meshes/gripper.obj <<'END'
v 0 -40 -20
v 0 40 -20
v 0 -40 20
v 0 40 20
v 100 0 -20
v 100 0 20
f 1 2 4 3
f 1 5 6 3
f 2 5 6 4
f 1 2 5
f 3 4 6
END
cat > arm.urdf <<'END'
<robot name="arm">
  <link name="upper_arm"><collision>
    <origin xyz="0.25 0 0" rpy="0 1.5708 0"/><geometry><cylinder radius="0.05" length="0.5"/></geometry>
  </collision></link>
  <link name="forearm"><collision>
    <origin xyz="0.2 0 0" rpy="0 1.5708 0"/><geometry><cylinder radius="0.04" length="0.4"/></geometry>
  </collision></link>
  <link name="gripper"><collision>
    <geometry><mesh filename="meshes/gripper.obj" scale="0.001 0.001 0.001"/></geometry>
  </collision></link>
  <link name="base"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper_arm"/>
    <origin xyz="0 0 0.4"/><axis xyz="0 0 1"/><limit lower="-2" upper="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper_arm"/><child link="forearm"/>
    <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5"/></joint>
  <joint name="wrist" type="fixed"><parent link="forearm"/><child link="gripper"/>
    <origin xyz="0.4 0 0"/></joint>
</robot>
END
cat > shelf.yaml <<'END'
world:
  collision_objects:
    - id: post
      primitives: [{type: cylinder, dimensions: [0.8, 0.03]}]
      primitive_poses:
        - {position: [0.109, 0.28, 0.4], orientation: [0, 0, 0, 1]}
    - id: shelf
      primitives: [{type: box, dimensions: [0.3, 0.02, 0.8]}, {type: box, dimensions: [0.3, 0.02, 0.8]}]
      primitive_poses:
        - {position: [0.85, 0.31, 0.4], orientation: [0, 0, 0, 1]}
        - {position: [0.85, -0.31, 0.4], orientation: [0, 0, 0, 1]}
END
# A line per configuration; the elbow, which is not named, stays at 0, and the time is no joint. The
# third meets a side of the shelf, which is at 0.37 radians seen from the shoulder; the last has the
# upper arm in the post. Both are the first of their file, and yet not one object: owners of a kept
# file are numbered on.
printf 'time,shoulder\n0,-1\n1,0\n2,0.37\n3,0.7\n4,1.2\n' > motion.csv

"$widephase" convert arm.urdf --joints motion.csv --ignore-columns -o motion.npz
"$widephase" convert shelf.yaml -o shelf.npz
"$widephase" collide motion.npz --kept shelf.npz -o contacts.csv
# How far the arm is from post and shelf in each configuration, and which pair is nearest.
"$widephase" distance motion.npz --kept shelf.npz --moving-pairs false
# contacts.csv has a line per point of a contact; its first two columns are the ids.
echo "pairs of shapes in contact: $(tail -n +2 contacts.csv | cut -d, -f1,2 | sort -u | wc -l | tr -d ' ')"
